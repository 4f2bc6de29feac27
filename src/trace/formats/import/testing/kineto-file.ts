/**
 * Small torch.profiler files for tests, written by the rules of the format. Times in µs from an
 * absolute origin. Test code only.
 */
export interface KinetoOptions {
  /** Added to every time. */
  readonly originUs?: number
  /** Of the device: its id, which Kineto gives as a number. */
  readonly device?: number | string
  readonly deviceName?: string
  /** As `distributedInfo`; left out where it is not given. */
  readonly distributed?: Readonly<Record<string, unknown>>
}

type Args = Readonly<Record<string, unknown>>
export type Event = Readonly<Record<string, unknown>>

export class KinetoFile {
  readonly events: Event[] = []
  readonly #origin: number
  readonly #device: number | string
  readonly #deviceName: string
  readonly #distributed: KinetoOptions['distributed']
  readonly pid = 4321

  constructor({
    originUs = 1_700_000_000_000_000,
    device = 0,
    deviceName = 'Test Device',
    distributed,
  }: KinetoOptions = {}) {
    this.#origin = originUs
    this.#device = device
    this.#deviceName = deviceName
    this.#distributed = distributed
  }

  add(event: Event): this {
    this.events.push(event)
    return this
  }

  #span(
    cat: string,
    name: string,
    pid: unknown,
    tid: unknown,
    [start, end]: readonly [number, number],
    args: Args,
  ) {
    const ts = this.#origin + start
    return this.add({ ph: 'X', cat, name, pid, tid, ts, dur: end - start, args })
  }

  call(name: string, correlation: number, times: readonly [number, number], tid = this.pid): this {
    return this.#span('cuda_runtime', name, this.pid, tid, times, { cbid: 1, correlation })
  }

  operator(name: string, times: readonly [number, number], category = 'cpu_op'): this {
    return this.#span(category, name, this.pid, this.pid, times, { 'External id': 1 })
  }

  kernel(name: string, correlation: number, times: readonly [number, number], stream = 7): this {
    const args = { device: 0, stream, correlation, grid: [1, 1, 1], block: [256, 1, 1] }
    return this.#span('kernel', name, this.#device, stream, times, args)
  }

  /** A kernel of NCCL. `args`: what is known of the collective; none in older files. */
  collective(
    name: string,
    correlation: number,
    times: readonly [number, number],
    args: Args = {},
    stream = 7,
  ): this {
    return this.#span('kernel', name, this.#device, stream, times, {
      device: 0,
      stream,
      correlation,
      ...args,
    })
  }

  copy(kind: string, correlation: number, times: readonly [number, number], bytes: number, stream = 7): this {
    return this.#span('gpu_memcpy', `Memcpy ${kind}`, this.#device, stream, times, {
      stream,
      correlation,
      bytes,
    })
  }

  /** A callback of the host within a graph. */
  hostNode(name: string, correlation: number, times: readonly [number, number], stream = 7): this {
    const args = { device: 0, stream, correlation, 'graph id': 3 }
    return this.#span('graph_host_node', `HostNode: ${name}`, this.#device, stream, times, args)
  }

  memset(correlation: number, times: readonly [number, number], bytes: number, stream = 7): this {
    const args = { stream, correlation, bytes }
    return this.#span('gpu_memset', 'Memset (Device)', this.#device, stream, times, args)
  }

  deviceSync(kind: string, correlation: number, times: readonly [number, number], args: Args): this {
    const tid = Number(args['stream'] ?? args['wait_on_stream'] ?? 7)
    return this.#span('cuda_sync', kind, this.#device, tid, times, { correlation, ...args })
  }

  text(): string {
    const names = Array.from({ length: 16 }, (_, pid) => ({
      ph: 'M',
      name: 'process_labels',
      pid,
      tid: 0,
      ts: 0,
      args: { labels: `GPU ${String(pid)}` },
    }))
    return JSON.stringify({
      schemaVersion: 1,
      deviceProperties: [{ id: 0, name: this.#deviceName }],
      ...(this.#distributed ? { distributedInfo: this.#distributed } : {}),
      traceEvents: [...names, ...this.events],
    })
  }

  bytes(): Uint8Array {
    return new TextEncoder().encode(this.text())
  }
}
