import "server-only";
import type { Connection } from "./connection";

/** Whose connection it is. `credentials` changes whenever the next request must not meet the old connection. */
export type Owner = { id: string; credentials: string };

/** The place of an owner's kept connection, while a request has it. */
export type KeptPlace = {
  /** The kept one; null: there is none yet. */
  connection: Connection | null;
  /** The connection to keep, or null. */
  giveBack: (connection: Connection | null) => void;
};

type Place = { credentials: string; idle: Connection | null };

/**
 * One open connection for each owner, for one request at a time. Partners never share one, so that one's answer cannot be
 * read as another's.
 */
export class KeptConnections {
  /** The least recently used first. */
  readonly #places = new Map<string, Place>();
  readonly #atMost: number;

  constructor(atMost: number) {
    this.#atMost = atMost;
  }

  /** Null where another request has it. */
  take({ id, credentials }: Owner): KeptPlace | null {
    const known = this.#places.get(id);
    if (known && known.credentials !== credentials) this.forget(id);
    else if (known && !known.idle) return null;
    const connection = this.#places.get(id)?.idle ?? null;
    if (connection) connection.onClosed = null;
    const place: Place = { credentials, idle: null };
    this.#places.delete(id);
    this.#places.set(id, place);
    return { connection, giveBack: (used) => this.#giveBack(id, place, used) };
  }

  forget(id: string): void {
    this.#places.get(id)?.idle?.close();
    this.#places.delete(id);
  }

  #giveBack(id: string, place: Place, connection: Connection | null): void {
    const isCurrent = this.#places.get(id) === place;
    if (!isCurrent || !connection?.isOpen || !connection.isYoung) {
      connection?.close();
      if (isCurrent) this.#places.delete(id);
      return;
    }
    place.idle = connection;
    connection.onClosed = () => {
      if (this.#places.get(id) === place && place.idle) this.#places.delete(id);
    };
    if (this.#places.size <= this.#atMost) return;
    for (const [other, { idle }] of this.#places) {
      if (!idle) continue;
      this.forget(other);
      return;
    }
  }
}
