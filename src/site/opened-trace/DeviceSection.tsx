/** Why one device of the trace was idle: a row of a cause steps through its gaps in the timeline. */
import { Fragment, type RefObject, useMemo } from 'react'
import { CAUSES, isIdle } from '../../timeline'
import type { DeviceDigest } from '../import-worker/digest'
import { formatCount, formatNumber, formatQuantity } from '../ui/format'
import { ScrollTable } from '../ui/ScrollTable'
import { Button } from '../ui/Button'
import type { Example } from '../../analysis/findings'
import type { Target } from '../../timeline/types'
import type { Gap } from '../../trace/gaps'
import type { FoundFacts } from '../import-worker/protocol'

interface GapSteps {
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

/** From a cause to its gaps in the timeline: the next one, the longest, and the example of a finding. */
export const useGapSteps = (found: FoundFacts | null, gaps: readonly Gap[], show: (target: Target) => void) =>
  useMemo(() => gapSteps(found, gaps, show), [found, gaps, show])

const us = (value: number): string => formatQuantity(value, 'us')
const share = (value: number): string => formatQuantity(value, 'ratio')

const Causes = ({ device, name, steps, selectedGap }: DeviceSectionProps) => (
  <ScrollTable
    label={`Why ${name} was idle`}
    className="trace-table"
    data-testid="gap-causes"
    columns={['Cause', 'Gaps', 'Total', 'Share of idle', 'Longest', 'In the timeline']}
    classAt={{ 5: 'no-print trace-words' }}
    caption={
      <>
        Idle {us(device.idleUs)}, by cause, in {formatCount(device.gaps, 'gap')}
      </>
    }
    rows={device.causes.map(({ cause, count, us: totalUs, longestUs, longest }) => [
      <Fragment key="cause">
        {CAUSES[cause].label}
        <span className="block small quiet">{CAUSES[cause].means}</span>
      </Fragment>,
      formatNumber(count),
      us(totalUs),
      isIdle(cause) && device.idleUs > 0 ? share(totalUs / device.idleUs) : '',
      us(longestUs),
      steps && (
        <span key="steps" className="trace-steps">
          {(['Next', 'Longest'] as const).map((word) => (
            <Button
              key={word}
              look="small"
              label={word}
              aria-label={`${word} gap: ${CAUSES[cause].label}`}
              onClick={() => {
                if (word === 'Next') steps.next(cause, selectedGap.current)
                else steps.longest(longest)
              }}
            />
          ))}
        </span>
      ),
    ])}
  />
)

export interface DeviceSectionProps {
  readonly device: DeviceDigest
  /** Tells it from the others of the file. */
  readonly name: string
  /** Null where its gaps are not in the timeline. */
  readonly steps: GapSteps | null
  /** In the timeline, by index; -1 none. */
  readonly selectedGap: RefObject<number>
}

export const DeviceSection = (props: DeviceSectionProps) => {
  const { device, name } = props
  return (
    <section className="trace-device stack-16" aria-labelledby={`device ${device.id}`}>
      <h2 id={`device ${device.id}`}>{name}</h2>
      {device.axis === 'device' && (
        <p className="small">
          This device’s clock could not be tied to the host’s: its times are its own, it is not in the
          timeline, and the causes of its idle time are unknown.
        </p>
      )}
      {device.gaps === 0 ? (
        <p className="small">It was never idle between its first work and its last.</p>
      ) : (
        <Causes {...props} />
      )}
    </section>
  )
}
