/**
 * Figures of recorded profiles that a lesson's explanation quotes, as metrics: `busy-ratio`, `work-ratio`, `idle-ratio` and `copy-ratio`
 * of a device's time, `wait-ratio` and `waited-ms` of a rank, `cause-ratio` of the most costly cause. The variant is the recording, of
 * ranks with the rank behind a slash: 'torch-nccl/0'. Pure.
 */
import type { Diagnosis } from '../../analysis/findings'
import type { Metric } from '../../trace/report'
import type { ReadProfile } from './profile-answer'

const ratio = (us: number, { recordedUs }: Diagnosis): number | null =>
  recordedUs > 0 ? us / recordedUs : null

export function figuresOf(recording: string, { found, ranks }: ReadProfile): readonly Metric[] {
  return found.diagnoses.flatMap((diagnosis): readonly Metric[] => {
    const rank = ranks?.ranks.shown.find(({ device }) => device === diagnosis.device)
    const variant = rank ? `${recording}/${String(rank.rank)}` : recording
    const { parts, busyRatio, findings } = diagnosis
    const values: readonly (readonly [name: string, unit: Metric['unit'], value: number | null])[] = [
      ['busy-ratio', 'ratio', busyRatio],
      ['work-ratio', 'ratio', ratio(parts.workUs, diagnosis)],
      ['idle-ratio', 'ratio', ratio(parts.idleUs, diagnosis)],
      ['copy-ratio', 'ratio', ratio(parts.copyUs, diagnosis)],
      ['wait-ratio', 'ratio', ratio(parts.waitUs, diagnosis)],
      ['cause-ratio', 'ratio', findings[0]?.share ?? null],
      ['waited-ms', 'ms', rank?.waitedUs == null ? null : rank.waitedUs / 1e3],
    ]
    return values.map(([name, unit, value]) => ({
      name,
      variant,
      value,
      unit,
      low: null,
      high: null,
      n: 1,
      origin: 'derived',
    }))
  })
}
