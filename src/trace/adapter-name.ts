import type { RunInfo } from './schema'

/** The adapter of a trace, as briefly as its source names it; '' where it does not. */
export function adapterNameOf({ adapter }: Pick<RunInfo, 'adapter'>): string {
  const names = [
    adapter?.description,
    adapter?.device,
    [adapter?.vendor, adapter?.architecture].filter(Boolean).join(' '),
  ]
  return names.find((name) => name !== undefined && name !== '') ?? ''
}
