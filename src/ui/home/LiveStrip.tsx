/**
 * The visitor's own GPU, at once: what it is, how fast, and a heartbeat: a few real matmuls, drawn as they are measured.
 * Nothing here is a picture of a measurement; without a device it says so.
 */
import { useEffect, useMemo, useRef } from 'react'
import { lessonIndex } from 'virtual:lesson-index'
import { experiments } from '../../experiments/catalog'
import { inBackground } from '../../state/in-background'
import { isUnderWay } from '../../state/run-store'
import { formatHash } from '../../state/url'
import type { SpanKind } from '../../trace/schema'
import { findMetric } from '../../trace/report'
import { FaultNotice } from '../FaultNotice'
import { formatMetric, formatQuantity } from '../format'
import { useLab } from '../lab-context'
import { useStore } from '../use-store'
import { depthSteps, pulseBars, windowOf, type DepthStep, type PulseBar } from './pulse'

const OWNER = 'home'
const heart = experiments.find(({ heartbeat }) => heartbeat !== undefined)
const HEARTBEAT = { experiment: heart?.id ?? '', params: heart?.heartbeat ?? {} }
const VARIANT = heart?.variants(HEARTBEAT.params)[0] ?? ''
const whyId = lessonIndex.find(({ experiment }) => experiment === heart?.id)?.id
/** While the run goes on, the strip shows this much of the newest past. */
const FOLLOW_NS = 150e6

const WIDTH = 1000
const ROW = 26
const rows = ['host', 'queue', 'device'] as const

const barClass: Partial<Record<SpanKind, string>> = {
  encode: 'pulse-host',
  submit: 'pulse-host',
  'host-work': 'pulse-host',
  'host-wait': 'pulse-wait',
  compute: 'pulse-device',
  transfer: 'pulse-transfer',
}

const Bar = ({ bar }: { readonly bar: PulseBar }) => {
  const width = Math.max(1.2, (bar.to - bar.from) * WIDTH)
  return (
    <rect
      className={barClass[bar.kind]}
      x={bar.from * WIDTH}
      y={bar.row * ROW + 4}
      width={width}
      height={ROW - 8}
      vectorEffect="non-scaling-stroke"
    />
  )
}

/** Stepped area, from the ground of the queue's row. */
function depthPath(steps: readonly DepthStep[]): string {
  const ground = 2 * ROW - 4
  const height = ROW - 8
  const path = steps.map(({ at, depth }) => `H${String(at * WIDTH)}V${String(ground - depth * height)}`)
  return `M0 ${String(ground)}${path.join('')}H${String(WIDTH)}V${String(ground)}Z`
}

const Rates = () => {
  const { device } = useLab()
  const { environment, measuring } = useStore(device.store)
  const waiting = measuring ? 'measuring' : 'not measured'
  const rates: readonly (readonly [string, string])[] = environment
    ? [
        [
          'overhead per round trip',
          environment.completionLatencyMs === null
            ? waiting
            : formatQuantity(environment.completionLatencyMs, 'ms'),
        ],
        [
          'upload',
          environment.uploadGbPerS === null ? waiting : formatQuantity(environment.uploadGbPerS, 'GB/s'),
        ],
        [
          'readback',
          environment.readbackGbPerS === null ? waiting : formatQuantity(environment.readbackGbPerS, 'GB/s'),
        ],
        [
          'matrix product',
          environment.matmulGflops === null ? waiting : formatQuantity(environment.matmulGflops, 'GFLOP/s'),
        ],
      ]
    : []
  return (
    <dl className="strip-rates">
      {rates.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const Pulse = () => {
  const { run: runs } = useLab()
  const state = useStore(runs.store)
  const run = state.owner === OWNER ? state : null
  const placed = run?.placed ?? null
  const live = run !== null && isUnderWay(run.phase)
  const seen = useMemo(() => {
    if (!placed) return null
    const ended = live ? null : windowOf(placed, VARIANT)
    const margin = ended ? (ended[1] - ended[0]) * 0.04 : 0
    const window: readonly [number, number] = ended
      ? [ended[0] - margin, ended[1] + margin]
      : [placed.endOfAllNs - FOLLOW_NS, placed.endOfAllNs]
    return { bars: pulseBars(placed, window), steps: depthSteps(placed, window) }
  }, [placed, live])

  const report = run?.phase === 'done' ? run.report : null
  const hostFree = report ? findMetric(report.metrics, 'host-free-ratio', VARIANT) : undefined
  return (
    <figure className="pulse">
      <div className="pulse-lanes">
        <div className="pulse-names small" aria-hidden="true">
          {rows.map((name) => (
            <span key={name} className={`term term-${name}`}>
              {name}
            </span>
          ))}
        </div>
        <svg
          className="pulse-picture forced-keep"
          viewBox={`0 0 ${String(WIDTH)} ${String(ROW * rows.length)}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={
            placed ? 'Host, queue and device while eight matmuls run, as measured' : 'Nothing measured yet'
          }
        >
          {rows.map((name, index) => (
            <line
              key={name}
              className="pulse-ground"
              x1={0}
              x2={WIDTH}
              y1={(index + 1) * ROW - 3}
              y2={(index + 1) * ROW - 3}
            />
          ))}
          {seen && seen.steps.length > 0 && <path className="pulse-queue" d={depthPath(seen.steps)} />}
          {seen?.bars.map((bar, index) => (
            <Bar key={index} bar={bar} />
          ))}
        </svg>
      </div>
      <figcaption>
        <div className="pulse-words small" role="status">
          {run === null && (
            <span className="quiet">
              {state.phase === 'done'
                ? 'Measure: eight matrix products, submitted at once. They replace your last result on the page.'
                : 'Next: eight matrix products, submitted at once.'}
            </span>
          )}
          {live && (
            <span className="quiet">
              Running eight matrix products on your device: {run.progress?.message ?? 'starting'}
            </span>
          )}
          {run?.phase === 'failed' && run.fault && <span>{run.fault.message}</span>}
          {run?.phase === 'cancelled' && <span className="quiet">The measurement was stopped.</span>}
          {hostFree && (
            <span>
              Measured just now: eight matrix products submitted at once. While they ran, your host was free{' '}
              <strong className="number">{formatMetric(hostFree)}</strong> of the time.{' '}
              {whyId !== undefined && <a href={formatHash({ page: 'lesson', id: whyId, query: {} })}>Why?</a>}
            </span>
          )}
        </div>
      </figcaption>
    </figure>
  )
}

export const LiveStrip = () => {
  const { device, run } = useLab()
  const { phase, environment, fault } = useStore(device.store)
  const phaseOfRun = useStore(run.store, (state) => (state.owner === OWNER ? state.phase : 'idle'))
  const beaten = useRef(false)
  const beatLabel = phaseOfRun === 'idle' ? 'Measure' : 'Measure again'

  useEffect(() => {
    let left = false
    const beat = async () => {
      await device.probe(false)
      await device.probe(true)
      // One heartbeat a visit, and never in place of a result that the visitor may go back to.
      if (left || beaten.current || !heart || device.store.getState().phase !== 'known') return
      const { phase: shown, owner } = run.store.getState()
      if (isUnderWay(shown) || (shown === 'done' && owner !== OWNER)) return
      beaten.current = true
      await run.start({ owner: OWNER, ...HEARTBEAT })
    }
    inBackground(beat())
    return () => {
      left = true
      const { owner, phase: runPhase } = run.store.getState()
      if (owner === OWNER && isUnderWay(runPhase)) run.cancel()
    }
  }, [device, run])

  if (phase === 'unavailable' && fault)
    return (
      <section aria-label="Your device">
        <FaultNotice fault={fault} />
      </section>
    )
  return (
    <section className="strip" aria-label="Your device">
      <div className="strip-head">
        <p className="strip-name">
          {environment ? environment.adapterName : <span className="quiet">Looking for your GPU</span>}
          {environment?.isSoftware === true && <span className="strip-kind">software, not a GPU</span>}
        </p>
        <Rates />
      </div>
      <Pulse />
      <div className="button-row small no-print">
        <button
          type="button"
          className="button button-plain button-small"
          aria-disabled={!environment || isUnderWay(phaseOfRun)}
          onClick={() => {
            if (environment && !isUnderWay(phaseOfRun))
              inBackground(run.start({ owner: OWNER, ...HEARTBEAT }))
          }}
        >
          {beatLabel}
        </button>
        <a className="button button-plain button-small" href={formatHash({ page: 'device' })}>
          Everything about your device
        </a>
      </div>
    </section>
  )
}
