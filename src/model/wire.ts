/**
 * The wire between the ranks of a run. A message begins when both of its ranks have come. Each moves its bytes itself, one message after the
 * other, through slots between them; so long after the later of them has begun, and α besides, both go on:
 *
 *     rank 0   send      ▇ moves ▇ ─ α ─ goes on
 *     rank 1        recv   ▇ moves ▇ ─ α ─ goes on
 */
import { assertPeer, bytesOf, WireError, type WireEnd } from '../ranks/endpoint'
import type { RankState } from '../ranks/wait-for'
import type { RanksCost } from './card'
import type { Clock } from './clock'

interface Call {
  readonly pair: string
  readonly peer: number
  readonly atNs: number
  readonly host: number
  readonly bytes: Uint8Array
  readonly resolve: () => void
  readonly reject: (reason: Error) => void
}

export class ModelWire {
  /** Where it was cut, the ranks' next window has a new one. */
  isCut = false
  readonly #size: number
  readonly #clock: Clock
  readonly #cost: RanksCost
  /** By rank: from when on it may move bytes. */
  readonly #freeNs: number[]
  /** By way and pair, the oldest first: those that wait for the other rank. */
  readonly #alone = new Map<string, Call[]>()

  constructor(size: number, clock: Clock, cost: RanksCost) {
    this.#size = size
    this.#clock = clock
    this.#cost = cost
    this.#freeNs = Array.from({ length: size }, () => 0)
  }

  endOf(rank: number): WireEnd {
    const own = { rank, size: this.#size }
    const calls = { send: new Set<Call>(), recv: new Set<Call>() }
    let [hasEnded, cut]: [boolean, string | null] = [false, null]
    const ask = async (way: 'send' | 'recv', peer: number, view: ArrayBufferView): Promise<void> => {
      assertPeer(own, peer)
      if (cut !== null) throw new WireError(cut)
      hasEnded = false
      let call: Call | undefined
      try {
        await new Promise<void>((resolve, reject) => {
          const pair = (way === 'send' ? [rank, peer] : [peer, rank]).join(' ')
          const { now: atNs, host } = this.#clock
          call = { pair, peer, atNs, host, bytes: bytesOf(view), resolve, reject }
          calls[way].add(call)
          this.#meet(way, call)
        })
      } finally {
        if (call) calls[way].delete(call)
      }
    }
    const peersOf = (way: 'send' | 'recv') => [...new Set([...calls[way]].map(({ peer }) => peer))]
    return {
      ...own,
      send: (to, data) => ask('send', to, data),
      recv: (from, into) => ask('recv', from, into),
      begin: () => {
        hasEnded = false
      },
      end: () => {
        hasEnded = true
      },
      cut: (reason) => {
        cut ??= reason
        this.isCut = true
        for (const { reject } of [...calls.send, ...calls.recv]) reject(new WireError(cut))
      },
      get state(): RankState {
        const [sendsTo, recvsFrom] = [peersOf('send'), peersOf('recv')]
        const waits = sendsTo.length + recvsFrom.length > 0
        return { status: waits ? 'waiting' : hasEnded ? 'ended' : 'running', sendsTo, recvsFrom }
      },
    }
  }

  #meet(way: 'send' | 'recv', call: Call): void {
    const other = this.#alone.get(`${way === 'send' ? 'recv' : 'send'} ${call.pair}`)?.shift()
    if (!other) {
      const key = `${way} ${call.pair}`
      this.#alone.set(key, [...(this.#alone.get(key) ?? []), call])
      return
    }
    const [sent, received] = way === 'send' ? [call, other] : [other, call]
    this.#clock.at(Math.max(call.atNs, other.atNs), (atNs) => {
      this.#carry(sent, received, atNs)
    })
  }

  #carry(sent: Call, received: Call, atNs: number): void {
    const { alphaNs, handleNs, wireRate } = this.#cost
    const [from, to] = [received.peer, sent.peer]
    const bytesNs = sent.bytes.length / wireRate
    const beginOn = (rank: number): number => {
      const beginNs = Math.max(atNs, this.#freeNs[rank] ?? 0)
      this.#freeNs[rank] = beginNs + handleNs + bytesNs
      return beginNs
    }
    const beginNs = Math.max(beginOn(from), beginOn(to))
    const ends = (host: number, happens: () => void): void => {
      this.#clock.task(beginNs + alphaNs + bytesNs, happens, { host, isWoken: false })
    }
    if (sent.bytes.length !== received.bytes.length) {
      ends(received.host, () => {
        received.reject(
          new Error(
            `Rank ${String(to)} receives ${String(received.bytes.length)} bytes from rank ${String(from)}, which sends ${String(sent.bytes.length)}.`,
          ),
        )
      })
      return
    }
    ends(received.host, () => {
      received.bytes.set(sent.bytes)
      received.resolve()
    })
    ends(sent.host, sent.resolve)
  }
}
