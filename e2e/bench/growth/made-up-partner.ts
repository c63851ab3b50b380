import { createHash } from "node:crypto";

/** A partner that could be one, the same for the same number on every machine. */
export type MadeUpPartner = {
  id: string;
  name: string;
  suspended: boolean;
  /** null where that type is not registered; all of them where the service was never called. */
  urls: { pix_in: string | null; pix_out: string | null };
  /** Whether the registered types have an Authorization value. */
  verified: boolean;
  /** A fault code, where the last read failed. */
  fault: string | null;
  asked: boolean;
  /** Milliseconds between the last read and now. */
  lookedAgo: number;
};

const kinds = (
  "Loja Mercado Farmácia Padaria Viação Clube Posto Livraria Clínica Escola Academia Pousada Ótica Papelaria " +
  "Floricultura Restaurante Oficina Transportadora Construtora Distribuidora"
).split(" ");

const owners = (
  "Aurora Central Popular Tietê Regatas Ouro Horizonte Bandeirante Cruzeiro Paulista Carioca Mineira Gaúcha " +
  "Potiguar Amazonas Paraná Iguaçu Atlântica Serrana Litoral Primavera Esperança Vitória União Progresso " +
  "Liberdade Estrela Lua Girassol Jacarandá Ipê Araucária Cerrado Pantanal Guanabara Ipiranga Maracanã Olinda " +
  "Conquista Planalto Jequitibá Sabiá Beija-Flor Tucano Arara Onça Capivara Jaguar Pérola Safira"
).split(" ");

const faults = [
  "credentials_rejected",
  "ip_not_allowed",
  "certificate_expired",
  "upstream_timeout",
  "connection_refused",
];

/** `n` counts from 1. About one in seven has something that support would search for. */
export function madeUpPartner(n: number): MadeUpPartner {
  const dice = createHash("sha256").update(String(n)).digest();
  const pick = <T>(from: readonly T[], byte: number): T | undefined =>
    from[(dice[byte] ?? 0) % from.length];
  const chance = (byte: number, percent: number) => (dice[byte] ?? 0) * 100 < percent * 256;

  const name = `${pick(kinds, 0)} ${pick(owners, 1)}`;
  const slug = plain(name).replace(/[^a-z]+/g, "-");
  const host = `${chance(2, 60) ? "hooks" : "pix"}.${slug.replaceAll("-", "")}${n}.com.br`;
  const url = `https://${host}/notificacoes`;
  return {
    id: `${slug}-${n}`.slice(-40).replace(/^-+/, ""),
    name: `${name} ${n}`,
    suspended: chance(3, 1),
    urls: {
      pix_in: chance(4, 95) ? url : null,
      pix_out: chance(5, 92) ? (chance(6, 80) ? url : `${url}/saidas`) : null,
    },
    verified: chance(7, 95),
    fault: chance(8, 2) ? (pick(faults, 9) ?? null) : null,
    asked: chance(10, 98),
    lookedAgo: dice.readUInt32BE(11) % (30 * 24 * 60 * 60_000),
  };
}

function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
}
