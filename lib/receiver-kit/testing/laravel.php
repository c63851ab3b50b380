<?php

// What an application of Laravel has around the kit's routes/api.php, as far as a message comes by it: the framework's
// own container, HTTP kernel, exception handler and router. The job is a developer's own, and does nothing here.

namespace App\Jobs {
    class HandlePixNotification
    {
        public static function dispatch(string $notification): void
        {
        }
    }
}

namespace {
    require 'Illuminate/autoload.php';

    $app = new Illuminate\Foundation\Application(__DIR__);
    // config/services.php, as the comment in the handler has it.
    $services = ['pix' => ['authorization' => env('PIX_AUTHORIZATION'), 'next' => env('PIX_AUTHORIZATION_NEXT')]];
    $app->instance('config', new Illuminate\Config\Repository([
        'app' => ['env' => 'production', 'debug' => false],
        'logging' => ['default' => 'stderr', 'channels' => ['stderr' => ['driver' => 'errorlog']]],
        'services' => $services,
        'view' => ['paths' => [], 'compiled' => __DIR__],
    ]));
    Illuminate\Support\Facades\Facade::setFacadeApplication($app);
    $app->register(Illuminate\Filesystem\FilesystemServiceProvider::class);
    $app->register(Illuminate\View\ViewServiceProvider::class);
    $app->singleton(
        Illuminate\Contracts\Debug\ExceptionHandler::class,
        Illuminate\Foundation\Exceptions\Handler::class,
    );
    $app->boot();
    Illuminate\Support\Facades\Route::prefix('api')->group(__DIR__.'/routes/api.php');

    $kernel = new class ($app, $app['router']) extends Illuminate\Foundation\Http\Kernel {
        /** Done above, without the files of an application. */
        protected $bootstrappers = [];
    };
    $request = Illuminate\Http\Request::capture();
    $response = $kernel->handle($request)->send();
    $kernel->terminate($request, $response);
}
