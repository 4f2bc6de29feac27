/** Profiles of PyTorch on Apple's GPUs, of which the file holds the host alone. */
import type { EventFile } from './event-file'

const OPERATOR = /^(?:aten::_?mps_|mps::)|^torch[/\\]mps[/\\]/

export const MPS =
  'The program ran on MPS: torch.profiler records no GPU work there. Put torch.mps.profiler.profile() round the same steps, and record with Metal System Trace in Xcode’s Instruments.'

/** Whether an operator of MPS is among the names. */
export function isMps({ events, texts }: EventFile): boolean {
  const isOne = texts.asked((name) => OPERATOR.test(name))
  return events.columns.name.subarray(0, events.length).some((name) => isOne(name))
}
