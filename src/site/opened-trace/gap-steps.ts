/** From a cause to its gaps in the timeline: the next one, the longest, and the example of a finding. */
import { useMemo } from 'react'
import type { Example } from '../../analysis/findings'
import type { Target } from '../../timeline/types'
import type { Gap } from '../../trace/gaps'
import type { FoundFacts } from '../import-worker/protocol'

export interface GapSteps {
  /** Selects the gap of that cause after the selected one, by index; `longest` its longest. */
  readonly next: (cause: string, selected: number) => void
  readonly longest: (gap: number) => void
}

function gapSteps(found: FoundFacts | null, gaps: readonly Gap[], show: (target: Target) => void) {
  const devices = found?.devices.shown ?? []
  let end = 0
  /** By device; null where its gaps are not in the timeline. */
  const steps = devices.map((device): GapSteps | null => {
    const from = end
    end += device.gaps
    if (!found?.hasDeviceGaps || device.axis === 'device') return null
    return {
      next: (cause, selected) => {
        const at = selected - from
        const first = at >= 0 && at < device.gaps ? at : -1
        // Round once: behind the last comes the first.
        for (let step = 1; step <= device.gaps; step += 1) {
          const gap = from + ((first + step + device.gaps) % device.gaps)
          if (gaps[gap]?.cause !== cause) continue
          show({ type: 'gap', gap })
          return
        }
      },
      longest: (gap) => show({ type: 'gap', gap: from + gap }),
    }
  })
  /** By device, what shows an example; null where the timeline has no place for it. */
  const showing = (device: number) => (example: Example) => {
    if (devices[device]?.axis === 'device') return null
    const own = steps[device]
    if (example.type === 'gap' && !own) return null
    return () => {
      if (example.type === 'span') show({ type: 'span', span: example.span })
      else own?.longest(example.gap)
    }
  }
  return { steps, showing }
}

export const useGapSteps = (found: FoundFacts | null, gaps: readonly Gap[], show: (target: Target) => void) =>
  useMemo(() => gapSteps(found, gaps, show), [found, gaps, show])
