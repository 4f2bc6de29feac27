/** Why one device of the trace was idle: a row of a cause shows its longest gap in the timeline. */
import { Fragment, useMemo } from 'react'
import { CAUSES, isIdle } from '../../timeline'
import type { DeviceDigest } from '../import-worker/digest'
import { formatCount, formatNumber, formatQuantity } from '../ui/format'
import { ScrollTable } from '../ui/ScrollTable'
import { Button } from '../ui/Button'
import type { Example } from '../../analysis/findings'
import type { Target } from '../../timeline/types'
import type { FoundFacts } from '../import-worker/protocol'

type ShowGap = (gap: number) => void

function gapsShown(found: FoundFacts | null, show: (target: Target) => void) {
  const devices = found?.devices.shown ?? []
  let end = 0
  /** By device, what shows one of its gaps; null where they are not in the timeline. */
  const showGap = devices.map((device): ShowGap | null => {
    const from = end
    end += device.gaps
    if (!found?.hasDeviceGaps || device.axis === 'device') return null
    return (gap) => show({ type: 'gap', gap: from + gap })
  })
  /** By device, what shows an example; null where the timeline has no place for it. */
  const showing = (device: number) => (example: Example) => {
    if (devices[device]?.axis === 'device') return null
    if (example.type === 'span') return () => show({ type: 'span', span: example.span })
    const own = showGap[device]
    return own ? () => own(example.gap) : null
  }
  return { showGap, showing }
}

/** From a cause to its longest gap in the timeline, and to the example of a finding. */
export const useShownGaps = (found: FoundFacts | null, show: (target: Target) => void) =>
  useMemo(() => gapsShown(found, show), [found, show])

const us = (value: number): string => formatQuantity(value, 'us')
const share = (value: number): string => formatQuantity(value, 'ratio')

const Causes = ({ device, name, showGap }: DeviceSectionProps) => (
  <ScrollTable
    label={`Why ${name} was idle`}
    className="trace-table"
    data-testid="gap-causes"
    columns={['Cause', 'Gaps', 'Total', 'Share of idle', 'Longest']}
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
      showGap ? (
        <Button
          key="longest"
          look="link"
          label={us(longestUs)}
          aria-label={`Longest gap: ${CAUSES[cause].label}`}
          onClick={() => showGap(longest)}
        />
      ) : (
        us(longestUs)
      ),
    ])}
  />
)

export interface DeviceSectionProps {
  readonly device: DeviceDigest
  /** Tells it from the others of the file. */
  readonly name: string
  /** Null where its gaps are not in the timeline. */
  readonly showGap: ShowGap | null
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
