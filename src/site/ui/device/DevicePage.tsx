/**
 * The capability report: what this browser and this device are and do, each figure with its unit
 * and what it is.
 */
import type { ReactNode } from 'react'
import type { DeviceFacts, Environment } from '../../../trace/report'
import { inBackground } from '../../state/in-background'
import { addressOf } from '../../state/url'
import { FaultNotice } from '../FaultNotice'
import { formatMegabytes, formatQuantity } from '../format'
import { useLab, useShell } from '../lab-context'
import { useStore } from 'zustand'
import { useTitle } from '../use-title'
import { CopyButton } from '../source/CopyButton'
import type { OfflineState } from '../../state/offline-store'
import { Button } from '../Button'
import './device.css'

/**
 * What of the lab is stored in this browser, how much that is, and what is missing without a
 * network.
 */
const said = ({ phase, bytes, storedBytes, allBytes }: OfflineState): ReactNode => {
  switch (phase) {
    case 'none':
      return 'The lab isn’t stored in this browser, so it needs the network. Either you have just opened it, or this browser or address (http, a private window) allows no service worker.'
    case 'storing':
      return `Being stored for offline use: ${formatMegabytes(storedBytes)} of ${formatMegabytes(bytes)}, while nothing is measured.`
    case 'ready':
      return storedBytes < allBytes
        ? `Ready for offline use: every page and lesson, ${formatMegabytes(storedBytes)} in this browser. Recordings, the editor and WebAssembly are stored after their first use; all of it is ${formatMegabytes(allBytes)}.`
        : `Ready for offline use: all of the lab, ${formatMegabytes(storedBytes)} in this browser. Links to other sites, including Perfetto, need a network.`
    case 'asks':
      return `Not stored: this browser is set to save data. All of the lab is ${formatMegabytes(allBytes)}.`
    case 'no-room':
      return `Stored in part: ${formatMegabytes(storedBytes)}. This browser has no room for more. With a network, everything works as before.`
    case 'unreachable':
      return `Stored in part: ${formatMegabytes(storedBytes)} of ${formatMegabytes(bytes)}. The rest was from another version of the lab; the next visit tries again.`
  }
}

const OfflineSection = () => {
  const { offline } = useShell()
  const state = useStore(offline.store)
  const { phase, storedBytes, allBytes } = state
  return (
    <section className="stack-12" aria-labelledby="offline-title" data-testid="offline">
      <h2 id="offline-title">Without a network</h2>
      <p>{said(state)}</p>
      {phase !== 'none' && phase !== 'storing' && storedBytes < allBytes && (
        <div className="button-row no-print">
          <Button onClick={offline.keep}>Keep all</Button>
        </div>
      )}
    </section>
  )
}

interface Fact {
  readonly label: string
  /** Null: could not be measured here. */
  readonly value: string | null
  /** What the figure is, and what it means for a reader of the lessons. */
  readonly what: string
}

const whenKnown = (value: number | null | undefined, write: (value: number) => string): string | null =>
  value == null ? null : write(value)

function groups(
  device: DeviceFacts,
  environment: Environment | null,
): readonly { readonly heading: string; readonly facts: readonly Fact[] }[] {
  return [
    {
      heading: 'Adapter',
      facts: [
        {
          label: 'Name',
          value: device.adapterName,
          what: 'As the browser reports it. Many browsers report less than they know, to protect you.',
        },
        {
          label: 'Kind',
          value: device.isSoftware ? 'software, on the processor' : 'hardware',
          what: device.isSoftware
            ? 'Your processor runs WebGPU. Queue, staging buffers and timestamps are real; speeds and overlap are not those of a GPU.'
            : 'Commands go to a GPU.',
        },
      ],
    },
    {
      heading: 'Clocks',
      facts: [
        {
          label: 'Host clock step',
          value: whenKnown(environment?.hostClockStepUs, (step) => formatQuantity(step, 'us')),
          what: device.crossOriginIsolated
            ? 'Smallest change of performance.now(). This page is cross-origin isolated, which makes it fine-grained.'
            : 'Smallest change of performance.now(). This page is not cross-origin isolated, so the browser coarsens it.',
        },
        {
          label: 'Device clock step',
          value: whenKnown(environment?.deviceClockStepNs, (step) => formatQuantity(step, 'ns')),
          what: !device.features.includes('timestamp-query')
            ? 'This browser gives no device timestamps (timestamp-query). Lessons show host-side times only.'
            : 'Smallest change of a timestamp. 65.5 µs is what Chrome gives every ordinary page.',
        },
      ],
    },
    {
      heading: 'Latency',
      facts: [
        {
          label: 'An empty submission',
          value: whenKnown(environment?.emptySubmitLatencyMs, (ms) => formatQuantity(ms, 'ms')),
          what: 'From submit() of nothing until its completion is reported. Median.',
        },
        {
          label: 'A kernel of 2 ms, beyond its own time',
          value: whenKnown(environment?.completionLatencyMs, (ms) => formatQuantity(ms, 'ms')),
          what: 'From submit() until completion is reported, less the kernel’s own time. Median.',
        },
      ],
    },
    {
      heading: 'Rate',
      facts: [
        {
          label: 'Matrix product',
          value: whenKnown(environment?.matmulGflops, (rate) => formatQuantity(rate, 'GFLOP/s')),
          what: 'The lab’s kernel ‘vectorised’, 32-bit floats.',
        },
      ],
    },
  ]
}

interface FactListProps {
  readonly heading: string
  readonly facts: readonly Fact[]
  readonly measuring: boolean
}

const FactList = ({ heading, facts, measuring }: FactListProps) => (
  <section className="facts top stack-12" aria-label={heading}>
    <h2 className="size-3">{heading}</h2>
    <dl className="stack">
      {facts.map(({ label, value, what }) => (
        <div key={label} className="fact baseline stack">
          <dt>{label}</dt>
          <dd className="fact-value bold tabular">
            {value ?? <span className="quiet regular">{measuring ? 'measuring' : 'not measured'}</span>}
          </dd>
          <dd className="fact-what small quiet">{what}</dd>
        </div>
      ))}
    </dl>
  </section>
)

const Measure = ({ environment }: { readonly environment: Environment | null }) => {
  const { device } = useLab()
  const { measuring } = useStore(device.store)
  return (
    <div className="stack-16 no-print">
      <p className="passage">
        The lessons don’t need this: a run measures what it needs. Press the button, and the lab measures both
        clocks’ steps, how late an end is reported, and a matrix product. That takes about a second on a GPU,
        longer on a software adapter, and keeps the device busy meanwhile.
      </p>
      <div className="button-row">
        <Button
          look="main"
          label={measuring ? 'Measuring' : environment ? 'Measure again' : 'Measure this device'}
          isOff={measuring}
          onClick={() => inBackground(device.measure())}
        />
        <span role="status" className="small quiet">
          {measuring ? 'Measuring this device.' : ''}
        </span>
      </div>
    </div>
  )
}

export const DevicePage = () => {
  const { device: devices } = useLab()
  const { phase, device, environment, fault, lost, measuring } = useStore(devices.store)
  const json = JSON.stringify(environment ?? device, null, 2)
  useTitle('Your device')
  return (
    <div className="page device">
      <header className="page-head stack-12">
        <h1>Your device</h1>
        <p className="lead">
          {device
            ? `${device.adapterName}, as this browser offers it.`
            : 'What this browser offers, and what it really does.'}
        </p>
      </header>
      {lost && (
        <div className="notice notice-warn" role="alert">
          <h2>The device was lost</h2>
          <p>{lost.message}</p>
          <p>The next measurement opens a new one.</p>
        </div>
      )}
      {phase === 'unavailable' && fault && (
        <FaultNotice fault={fault}>
          <Button look="small" label="Ask again" onClick={() => inBackground(devices.describe())} />
          <a className="button button-small" href={addressOf({ page: 'home' })}>
            To the lessons
          </a>
        </FaultNotice>
      )}
      {(phase === 'unknown' || phase === 'asking') && !device && (
        <p role="status" className="loading">
          Asking the browser for a device.
        </p>
      )}
      {device && (
        <>
          <Measure environment={environment} />
          <div className="fact-groups stack" aria-busy={measuring}>
            {groups(device, environment).map(({ heading, facts }) => (
              <FactList key={heading} heading={heading} facts={facts} measuring={measuring} />
            ))}
          </div>
        </>
      )}
      <div className="device-last stack">
        {device && (
          <section aria-label="What this browser says">
            <details className="folded">
              <summary>
                <h2 className="size-3">Features, limits and figures, as JSON</h2>
              </summary>
              <pre className="code code-plain panel breaks">{json}</pre>
            </details>
            <p className="user-agent breaks small quiet">{device.userAgent}</p>
            <div className="button-row no-print">
              <CopyButton look="" label="Copy as JSON" text={json} />
            </div>
          </section>
        )}
        <OfflineSection />
      </div>
    </div>
  )
}
