/** What is sent to a worker and by it. */
interface Protocol {
  readonly asked: unknown
  readonly told: unknown
}

/**
 * A worker that answers when a test says so, and is ended by nothing but the code that is tested.
 */
export class FakeWorker<Of extends Protocol> extends EventTarget {
  readonly requests: Of['asked'][] = []
  terminated = 0
  postMessage(request: Of['asked']): void {
    this.requests.push(request)
  }
  terminate(): void {
    this.terminated += 1
  }
  say(data: Of['told']): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
  die(message = ''): void {
    this.dispatchEvent(Object.assign(new Event('error'), { message }))
  }
}

/** Those that were started, in their order. */
export function fakeWorkers<Of extends Protocol>() {
  const workers: FakeWorker<Of>[] = []
  const start = (): Worker => {
    const worker = new FakeWorker<Of>()
    workers.push(worker)
    return worker as unknown as Worker // what its client calls
  }
  return { workers, start }
}
