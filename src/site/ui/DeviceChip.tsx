/** Which device is measured, whether it is a real one, and how fine the host's clock is: seen on every page. */
import { addressOf } from '../state/url'
import type { DeviceState } from '../state/device-store'
import { formatQuantity } from './format'
import { useShell } from './lab-context'
import { useStore } from './use-store'

interface ChipText {
  readonly dot: 'gpu' | 'software' | 'none' | 'asking'
  readonly name: string
  readonly detail: string
  readonly title: string
}

function describe({ phase, device, environment, lost }: DeviceState): ChipText {
  if (lost && phase === 'known')
    return { dot: 'none', name: 'Device lost', detail: 'opened anew at the next run', title: lost.message }
  if (phase === 'unavailable')
    return {
      dot: 'none',
      name: 'No WebGPU device',
      detail: 'recorded runs',
      title: 'Lessons play runs recorded on a real GPU.',
    }
  if (!device) return { dot: 'asking', name: 'Looking for a device', detail: '', title: '' }
  return {
    dot: device.isSoftware ? 'software' : 'gpu',
    name: device.adapterName,
    // Measured by a run or on the page of the device, never before.
    detail: environment ? `${formatQuantity(environment.hostClockStepUs, 'us')} host clock` : '',
    title: device.crossOriginIsolated
      ? 'The page is cross-origin isolated, so the host’s clock is fine.'
      : 'The page is not cross-origin isolated, so the browser coarsens the host’s clock.',
  }
}

export const DeviceChip = () => {
  const { device } = useShell()
  const { dot, name, detail, title } = describe(useStore(device.store))
  return (
    <a className="device-chip row small shrinks nowrap" href={addressOf({ page: 'device' })} title={title}>
      <span className={`device-dot device-dot-${dot} forced-keep`} aria-hidden="true" />
      <span className="device-chip-name">{name}</span>
      {detail !== '' && <span className="device-chip-clock quiet">{detail}</span>}
    </a>
  )
}
