"use client";

import { useReload } from "@/components/layout/states/use-reload";
import { buttonStyle } from "@/components/ui/button-style";
import "./globals.css";

/** Shown when the layout itself failed: the language is unknown, so the text is in both. */
export default function GlobalError() {
  const { asking, reload } = useReload();
  return (
    <html lang="en" className="font-sans">
      <head>
        <title>Error · Erro</title>
      </head>
      <body>
        <main className="mx-auto flex max-w-md flex-col gap-6 px-4 py-24 text-center">
          <h1 className="text-title font-semibold">
            <span>Something broke</span>
            <span> · </span>
            <span lang="pt-BR">Algo quebrou</span>
          </h1>
          <p>
            The fault is the dashboard’s, not yours. Try again. If you were saving something, look
            at what is registered now before you save again.
          </p>
          <p lang="pt-BR">
            A falha é do painel, não sua. Tente de novo. Se você estava salvando algo, confira o que
            está cadastrado agora antes de salvar de novo.
          </p>
          <button
            type="button"
            onClick={() => void reload()}
            aria-busy={asking}
            className={buttonStyle("primary", "md", "mx-auto")}
          >
            <span>Try again</span> <span aria-hidden>·</span>{" "}
            <span lang="pt-BR">Tentar de novo</span>
          </button>
        </main>
      </body>
    </html>
  );
}
