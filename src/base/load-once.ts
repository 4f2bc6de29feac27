/** Loads by key, once each. */
export interface LoadOnce<T> {
  /** The same promise for every call, until it fails. */
  readonly load: (key: string) => Promise<T>
  /** What has been loaded: no wait for it. */
  readonly loaded: (key: string) => T | undefined
}

export function loadOnce<T>(loadAnew: (key: string) => Promise<T>): LoadOnce<T> {
  const loading = new Map<string, Promise<T>>()
  const loaded = new Map<string, T>()
  return {
    load: (key) => {
      const known = loading.get(key)
      if (known) return known
      const begun = loadAnew(key).then((value) => {
        loaded.set(key, value)
        return value
      })
      loading.set(key, begun)
      begun.catch(() => loading.delete(key))
      return begun
    },
    loaded: (key) => loaded.get(key),
  }
}
