/** Names of the blocks of a host thread. */
import type { HostBlock } from '../../../analysis/replay/blocks'
import type { Cause } from '../../../analysis/replay/causes'

const CAUSE_BLOCKS: Partial<Record<Cause, string>> = {
  'read-back': 'reading back',
  synchronize: 'synchronize',
  'data-loading': 'data loading',
  'host-code': 'other code',
  dispatch: 'dispatch',
  allocation: 'allocation',
  'pageable-copies': 'pageable copies',
  unknown: 'not recorded',
}

/** Calls of a page have their brackets, and its script is no function. */
export const blockName = ({ name, cause }: HostBlock): string =>
  name !== null ? (/[ (]/.test(name) ? name : `${name}()`) : ((cause && CAUSE_BLOCKS[cause]) ?? 'the host')

export const percent = (share: number): string => `${String(Math.round(100 * share))} %`
