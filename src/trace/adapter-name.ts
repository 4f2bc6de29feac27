import type { RunInfo } from './schema'

/** Which adapter a trace is of, as briefly as its source says it; '' where it does not. */
export function adapterNameOf({ adapter }: Pick<RunInfo, 'adapter'>): string {
  const names = [
    adapter?.description,
    adapter?.device,
    [adapter?.vendor, adapter?.architecture].filter(Boolean).join(' '),
  ]
  return names.find((name) => name !== undefined && name !== '') ?? ''
}
