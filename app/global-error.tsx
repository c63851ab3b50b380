"use client";

import type { ErrorPageProps } from "@/components/layout/states/error-state";
import { buttonStyle } from "@/components/ui/button-style";
import "./globals.css";

/** Shown when the layout itself failed: the language is unknown, so the text is in both. */
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
            Something broke, and the fault is Gancho’s. Try again. If you were saving something,
            look at what is registered now before you save again.
          </p>
          <p lang="pt-BR">
            Algo quebrou, e a falha é do Gancho. Tente de novo. Se você estava salvando algo,
            confira o que está cadastrado agora antes de salvar de novo.
          </p>
          <button type="button" onClick={retry} className={buttonStyle("primary", "md", "mx-auto")}>
            Try again · <span lang="pt-BR">Tentar de novo</span>
          </button>
        </main>
      </body>
    </html>
  );
}
