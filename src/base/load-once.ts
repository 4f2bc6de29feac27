/** Loads by key, once each. */
export interface LoadOnce<T> {
  /**
   * The same promise for every call, until it fails. Once it has its value it says so in `status`
   * and `value`, which React's `use` reads: then it does not suspend, and a component may call it
   * on every render. It must: one that suspended there and finds another way on its second try has
   * no hooks (React's error 467).
   */
  readonly load: (key: string) => Promise<T>
  /** The loaded value, without a wait. */
  readonly loaded: (key: string) => T | undefined
}

export function loadOnce<T>(loadAnew: (key: string) => Promise<T>): LoadOnce<T> {
  const loading = new Map<string, Promise<T>>()
  const loaded = new Map<string, T>()
  return {
    load: (key) => {
      const known = loading.get(key)
      if (known) return known
      const begun: Promise<T> & { status?: 'fulfilled'; value?: T } = loadAnew(key)
      loading.set(key, begun)
      // First of all that wait for it: whoever goes on finds it said.
      begun
        .then((value) => {
          loaded.set(key, value)
          begun.status = 'fulfilled'
          begun.value = value
        })
        .catch(() => loading.delete(key))
      return begun
    },
    loaded: (key) => loaded.get(key),
  }
}
