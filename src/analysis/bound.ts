/**
 * What a recorded page's time goes to, in one word: where its device was busy it is device-bound, where that was idle it is the host's doing
 * or a wait, by the causes of the gaps (idle-reasons.ts). The largest of the three is the word; no word where less is known than not.
 */
import { percentText } from '../base/figures'
import type { GapCause } from '../trace/gaps'
import type { DeviceSummary } from './devices'

type Bound = 'host-bound' | 'device-bound' | 'waiting' | 'cannot tell'

export interface BoundVerdict {
  readonly word: Bound
  /** In sentences, with shares. */
  readonly evidence: string
}

type Share = Exclude<Bound, 'cannot tell'>

/** Whose a gap is, and what was awaited in it. Left out: of causes that say of none of the three, or of nothing. */
const GAPS: Readonly<Partial<Record<GapCause, { readonly of: Share; readonly awaited?: string }>>> = {
  'host-code': { of: 'host-bound' },
  dispatch: { of: 'host-bound' },
  'between-kernels': { of: 'device-bound' },
  'read-back': { of: 'waiting', awaited: 'a readback' },
  'copies-in-line': { of: 'waiting', awaited: 'a staging buffer' },
  synchronize: { of: 'waiting', awaited: 'the queue to be empty' },
  'data-loading': { of: 'waiting', awaited: 'data' },
  'between-frames': { of: 'waiting', awaited: 'the next frame' },
}

/** Of the busiest of a page's devices. */
export function boundOf(
  devices: readonly Pick<DeviceSummary, 'busyUs' | 'spanUs' | 'totals'>[],
): BoundVerdict {
  const [device] = devices.toSorted((a, b) => b.busyUs - a.busyUs)
  if (!device || device.spanUs <= 0)
    return {
      word: 'cannot tell',
      evidence: 'No pass has timestamps in the recording: when the device was busy is not known.',
    }
  const us: Record<Share, number> = { 'host-bound': 0, 'device-bound': device.busyUs, waiting: 0 }
  let longest = { us: 0, awaited: '' }
  for (const [cause, total] of Object.entries(device.totals) as [GapCause, { readonly us: number }][]) {
    const gap = GAPS[cause]
    if (!gap) continue
    us[gap.of] += total.us
    if (gap.awaited !== undefined && total.us > longest.us) longest = { us: total.us, awaited: gap.awaited }
  }
  const known = us['host-bound'] + us['device-bound'] + us.waiting
  const [word, most] = (Object.entries(us) as [Share, number][]).reduce((a, b) => (b[1] > a[1] ? b : a))
  const share = (part: number): string => percentText(part / device.spanUs)
  const unknownUs = Math.max(0, device.spanUs - known)
  // A gap counts whole for what most of it went to.
  const idle = [
    ...(us['host-bound'] > 0
      ? [`for ${share(us['host-bound'])} because the host was late with more work`]
      : []),
    ...(us.waiting > 0
      ? [`for ${share(us.waiting)} because the host waited, most of it for ${longest.awaited}`]
      : []),
  ]
  const evidence = [
    `The device was busy for ${share(us['device-bound'])} of the time from its first pass to its last.`,
    ...(idle.length > 0 ? [`It was idle ${idle.join(', and ')}.`] : []),
    ...(unknownUs >= most ? [`Of ${share(unknownUs)} nothing of that is known.`] : []),
  ].join(' ')
  return { word: unknownUs >= most ? 'cannot tell' : word, evidence }
}
