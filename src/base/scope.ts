/**
 * Owns what must be freed: last in, first out, exactly once, also when something throws. Clean-ups may be asynchronous and are
 * awaited one after the other. All of them run whatever any of them throws; the first error is thrown at the end, so nothing is lost.
 */
export type Cleanup = () => void | Promise<void>

export class Scope {
  readonly #cleanups: Cleanup[] = []
  #closed = false

  get isClosed(): boolean {
    return this.#closed
  }

  /** Runs `cleanup` when the scope closes. A closed scope refuses: what it was given would never be freed. */
  defer(cleanup: Cleanup): void {
    if (this.#closed) throw new Error('the scope is closed')
    this.#cleanups.push(cleanup)
  }

  /** Owns a resource and hands it back: `const buffer = scope.own(create(), (it) => it.destroy())`. */
  own<T>(resource: T, free: (resource: T) => void | Promise<void>): T {
    this.defer(() => free(resource))
    return resource
  }

  /** Frees everything, last first. A second call does nothing. */
  async close(): Promise<void> {
    this.#closed = true
    let failure: { readonly thrown: unknown } | null = null
    for (let cleanup = this.#cleanups.pop(); cleanup; cleanup = this.#cleanups.pop()) {
      try {
        await cleanup()
      } catch (thrown) {
        failure ??= { thrown }
      }
    }
    if (failure) throw failure.thrown
  }
}

/** Runs `body` with a scope that is closed at its end. What the body throws wins over what a clean-up throws. */
export async function withScope<T>(body: (scope: Scope) => T | Promise<T>): Promise<T> {
  const scope = new Scope()
  let value: T
  try {
    value = await body(scope)
  } catch (thrown) {
    await scope.close().catch(() => undefined) // the cause is on its way already
    throw thrown
  }
  await scope.close()
  return value
}
