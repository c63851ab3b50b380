"use client";

import { Button } from "@/components/ui/button";
import type { ErrorPageProps } from "@/components/shell/error-state";
import "./globals.css";

/** When even the layout failed: no language was found out, so it speaks both. */
export default function GlobalError({ retry }: ErrorPageProps) {
  return (
    <html lang="en" className="font-sans">
      <head>
        <title>Gancho</title>
      </head>
      <body>
        <main className="mx-auto flex max-w-md flex-col gap-6 px-4 py-24 text-center">
          <h1 className="text-title font-semibold">Gancho</h1>
          <p>
            Gancho failed to load. Nothing was changed by it. Try again in a moment, and if it goes
            on, tell whoever runs Gancho.
          </p>
          <p lang="pt-BR">
            Não foi possível carregar o Gancho. Nada foi alterado por isso. Tente de novo em
            instantes e, se continuar, avise quem mantém o Gancho.
          </p>
          <Button variant="primary" onClick={retry} className="mx-auto">
            Try again · <span lang="pt-BR">Tentar de novo</span>
          </Button>
        </main>
      </body>
    </html>
  );
}
