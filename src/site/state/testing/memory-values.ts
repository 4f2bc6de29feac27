/** Values in memory, which can be made to refuse. Test code only. */
import type { StoredValues } from '../stored-values'

export interface MemoryValues extends StoredValues {
  readonly data: Map<string, unknown>
  /** Fails as a browser does that blocks site data or has no room. */
  refuses: boolean
}

export function memoryValues(): MemoryValues {
  const data = new Map<string, unknown>()
  const values: MemoryValues = {
    data,
    refuses: false,
    keys: () => Promise.resolve(values.refuses ? [] : [...data.keys()]),
    get: (key) => Promise.resolve(values.refuses ? undefined : data.get(key)),
    put: (key, value) => {
      if (!values.refuses) data.set(key, structuredClone(value))
      return Promise.resolve(!values.refuses)
    },
    clear: () => {
      if (!values.refuses) data.clear()
      return Promise.resolve(!values.refuses)
    },
  }
  return values
}
