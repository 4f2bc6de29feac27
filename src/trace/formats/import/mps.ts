/** Profiles of PyTorch on Apple's GPUs, of which the file holds the host alone. */
import type { EventFile } from './event-reader'

const OPERATOR = /^(?:aten::_?mps_|mps::)|^torch[/\\]mps[/\\]/

export const MPS =
  'The program ran on MPS: torch.profiler records no GPU work there. Put torch.mps.profiler.profile() round the same steps, and record with Metal System Trace in Xcode’s Instruments.'

/** Whether an operator of MPS is among the names. */
export function isMps({ events, texts }: EventFile): boolean {
  const { columns, length } = events
  const asked = new Set<number>()
  for (let row = 0; row < length; row += 1) {
    const name = columns.name[row] ?? 0
    if (asked.has(name)) continue
    asked.add(name)
    if (OPERATOR.test(texts.text(name))) return true
  }
  return false
}
