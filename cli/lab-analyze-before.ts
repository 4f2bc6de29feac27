/** `lab analyze FILE --before EARLIER`: how long a step took, and how busy the device was, in each of the two, in one sentence. */
import { percent, us, type Analysis } from './lab-analyze'

/** Null: not known; of several devices no one's is the file's. */
const factsOf = ({ devices, diagnoses }: Analysis) => ({
  stepUs: diagnoses[0]?.steps?.medianUs ?? null,
  busyRatio: devices.length === 1 ? (devices[0]?.busyRatio ?? null) : null,
})

export function beforeText(earlier: Analysis, now: Analysis): string {
  const [a, b] = [factsOf(earlier), factsOf(now)]
  const parts = [
    ...(a.stepUs === null || b.stepUs === null ? [] : [`a step took ${us(a.stepUs)}, now ${us(b.stepUs)}`]),
    ...(a.busyRatio === null || b.busyRatio === null
      ? []
      : [`the device was busy for ${percent(a.busyRatio)} of the time, now for ${percent(b.busyRatio)}`]),
  ]
  if (parts.length === 0) return `${earlier.file} and ${now.file} have no figure in common.`
  return `In ${earlier.file} ${parts.join(', and ')}. Each is one recording, so chance may have a part in it.`
}
