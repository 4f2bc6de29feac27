/**
 * The wire between ranks that share no memory, where the page is not cross-origin isolated: a
 * message channel for each pair. Bytes are copied into a message of their own and out of it, and
 * each message costs both ranks a turn of their event loops.
 */
import { assertPeer, bytesOf, sizesDiffer, WireError, type WireEnd } from './endpoint'
import type { RankState } from './wait-for'

type PortMessage =
  | { readonly type: 'data'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'received' }

interface Outstanding {
  readonly into: Uint8Array | null
  readonly resolve: () => void
  readonly reject: (reason: Error) => void
}

/**
 * Ports between `size` ranks: `ports[rank][peer]`, null for the rank itself. Each is to be
 * transferred to its rank.
 */
export function makePorts(size: number): readonly (readonly (MessagePort | null)[])[] {
  const ports = Array.from({ length: size }, () => Array<MessagePort | null>(size).fill(null))
  for (let a = 0; a < size; a += 1)
    for (let b = a + 1; b < size; b += 1) {
      const { port1, port2 } = new MessageChannel()
      ;(ports[a] ?? [])[b] = port1
      ;(ports[b] ?? [])[a] = port2
    }
  return ports
}

export class PortEndpoint implements WireEnd {
  readonly rank: number
  readonly size: number
  readonly #ports: readonly (MessagePort | null)[]
  /** By rank, the oldest first. */
  readonly #sends: readonly Outstanding[][]
  readonly #recvs: readonly Outstanding[][]
  readonly #arrived: readonly Uint8Array[][]
  #hasEnded = false
  #cut: string | null = null

  constructor(rank: number, ports: readonly (MessagePort | null)[]) {
    this.rank = rank
    this.size = ports.length
    this.#ports = ports
    this.#sends = ports.map(() => [])
    this.#recvs = ports.map(() => [])
    this.#arrived = ports.map(() => [])
    for (const [peer, port] of ports.entries())
      if (port)
        port.onmessage = ({ data }: MessageEvent<PortMessage>) => {
          if (data.type === 'received') this.#sends[peer]?.shift()?.resolve()
          else this.#arrived[peer]?.push(data.bytes)
          this.#match(peer)
        }
  }

  async send(to: number, data: ArrayBufferView): Promise<void> {
    this.#assertUsable(to)
    return new Promise((resolve, reject) => {
      this.#sends[to]?.push({ into: null, resolve, reject })
      const bytes = bytesOf(data).slice()
      this.#ports[to]?.postMessage({ type: 'data', bytes } satisfies PortMessage, [bytes.buffer])
    })
  }

  async recv(from: number, into: ArrayBufferView): Promise<void> {
    this.#assertUsable(from)
    return new Promise((resolve, reject) => {
      this.#recvs[from]?.push({ into: bytesOf(into), resolve, reject })
      this.#match(from)
    })
  }

  begin(): void {
    this.#hasEnded = false
  }

  end(): void {
    this.#hasEnded = true
  }

  cut(reason: string): void {
    this.#cut ??= reason
    for (const queue of [...this.#sends, ...this.#recvs])
      for (const { reject } of queue.splice(0)) reject(new WireError(this.#cut))
  }

  /** The wait of this moment. */
  get state(): RankState {
    const ranksOf = (queues: readonly (readonly unknown[])[]) =>
      queues.flatMap(({ length }, rank) => (length > 0 ? [rank] : []))
    const [sendsTo, recvsFrom] = [ranksOf(this.#sends), ranksOf(this.#recvs)]
    const waits = sendsTo.length + recvsFrom.length > 0
    return { status: waits ? 'waiting' : this.#hasEnded ? 'ended' : 'running', sendsTo, recvsFrom }
  }

  close(): void {
    for (const port of this.#ports) port?.close()
  }

  #match(from: number): void {
    const [arrived, recvs] = [this.#arrived[from], this.#recvs[from]]
    for (;;) {
      const [bytes, next] = [arrived?.[0], recvs?.[0]]
      if (!bytes || !next?.into) return
      recvs?.shift()
      if (bytes.length !== next.into.length) {
        next.reject(sizesDiffer(this.rank, next.into.length, from, bytes.length))
        continue
      }
      arrived?.shift()
      next.into.set(bytes)
      this.#ports[from]?.postMessage({ type: 'received' } satisfies PortMessage)
      next.resolve()
    }
  }

  /** @throws RangeError, WireError */
  #assertUsable(peer: number): void {
    assertPeer(this, peer)
    if (this.#cut !== null) throw new WireError(this.#cut)
    this.#hasEnded = false
  }
}
