/**
 * Operators, kernels, modules and lines of a profile, and their controls: which table, by shape,
 * against which peak and which other profile.
 */
import { useCallback, useEffect, useMemo, useState } from 'react'
import { type KnownPeak, type OwnPeak, PEAK_NAMES } from '../../analysis/tables/peaks'
import {
  EMPTY,
  filterRows,
  type Table,
  type TableKind,
  TABLES,
  differenceOf,
  perStep,
  type Sort,
  sortRows,
} from '../../analysis/tables/table'
import { cellText, tableCsv, tableMarkdown } from '../../analysis/tables/table-text'
import { durationText } from '../../base/figures'
import type { PlacedTrace } from '../../trace/place'
import { inBackground } from '../state/in-background'
import { tableInWorker } from '../tables-worker/client'
import { formatCount, formatNumber } from '../ui/format'
import { FileButton } from '../ui/import/FileButton'
import { useLab } from '../ui/lab-context'
import { FaultNotice } from '../ui/FaultNotice'
import { useLoaded } from '../ui/use-loaded'
import { CopyButton } from '../ui/source/CopyButton'
import { Tabs } from '../ui/Tabs'
import { RowsTable } from './RowsTable'
import { Button } from '../ui/Button'

interface PeakFieldsProps {
  readonly peak: KnownPeak | null
  readonly own: OwnPeak
  readonly onOwn: (own: OwnPeak) => void
}

/** The peak that rates are held against: the device's data sheet, or the reader's own figures. */
const PeakFields = ({ peak, own, onOwn }: PeakFieldsProps) => (
  <details className="small no-print">
    <summary>
      {peak
        ? `Bounds from the ${peak.source}: ${formatNumber(peak.memory)} GB/s of memory, ${formatNumber(peak.bf16)} TFLOP/s in bf16`
        : 'Bounds need your device’s peak'}
    </summary>
    <p>
      The bound is the longer of operations over TFLOP/s and bytes over GB/s. An f32 product on tensor cores
      is compared with TF32. Data in a cache can be faster than the bound.
    </p>
    <div className="cluster-8-24 peak-fields">
      {PEAK_NAMES.map((name) => (
        <label key={name}>
          {name === 'memory' ? 'Memory, GB/s' : `${name}, TFLOP/s`}{' '}
          <input
            type="number"
            min={0}
            step="any"
            value={own[name] ?? ''}
            placeholder={peak ? formatNumber(peak[name]) : ''}
            onChange={(event) => {
              const value = event.currentTarget.valueAsNumber
              const rest = Object.entries(own).filter(([other]) => other !== name)
              onOwn(Object.fromEntries(value > 0 ? [...rest, [name, value]] : rest))
            }}
          />
        </label>
      ))}
    </div>
  </details>
)

const NAMES: Readonly<Record<TableKind, string>> = {
  operators: 'Operators',
  kernels: 'Kernels',
  modules: 'Modules',
  lines: 'Lines',
}
interface TablesSectionProps {
  readonly placed: PlacedTrace
  /** Shows the span in the timeline. */
  readonly onSpan: (span: number) => void
}

/** Computed when it is opened: 10^6 spans take a second. */
export const TablesSection = ({ placed, onSpan }: TablesSectionProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="trace-tables" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>Operators, kernels, modules and lines</h2>
      </summary>
      {isOpen && <ProfileTables placed={placed} onSpan={onSpan} />}
    </details>
  )
}

interface Other {
  readonly name: string
  readonly placed: PlacedTrace
}

const ProfileTables = ({ placed, onSpan }: TablesSectionProps) => {
  const [kind, setKind] = useState<TableKind>(() => (hasDevice(placed) ? 'kernels' : 'operators'))
  const [byShape, setByShape] = useState(false)
  const [isPerStep, setPerStep] = useState(false)
  const [wanted, setWanted] = useState('')
  const [sort, setSort] = useState<Sort | null>(null)
  const [own, setOwn] = useState<OwnPeak>({})
  const [other, setOther] = useState<Other | null>(null)
  const make = useCallback(
    async (signal: AbortSignal) => {
      const of = (each: PlacedTrace) =>
        tableInWorker({ placed: each, kind, options: { byShape, own } }, signal)
      const [now, before] = await Promise.all([of(placed), other && of(other.placed)])
      return { ...now, placed, before: before && before.table }
    },
    [placed, other, kind, byShape, own],
  )
  const { value, fault } = useLoaded(make)
  // The file's one before it stays until it is there: nothing below is to jump.
  const [made, setMade] = useState(value)
  if (value && value !== made) setMade(value)
  const table = useMemo((): Table | null => {
    if (made?.placed !== placed) return null
    return made.before ? differenceOf(made.before, made.table) : isPerStep ? perStep(made.table) : made.table
  }, [made, placed, isPerStep])
  const rows = useMemo(() => {
    const found = filterRows(table?.rows ?? [], wanted)
    return sort ? sortRows(found, sort) : found
  }, [table, wanted, sort])
  if (fault) return <FaultNotice fault={fault} />
  if (!made || !table)
    return (
      <p className="small" role="status">
        Adding up what each of them took.
      </p>
    )
  const shown = { columns: table.columns, rows }
  /** Own times: they add up. */
  const share = rows.reduce((sum, { cells }) => sum + Number(cells['share'] ?? 0), 0)
  const hasBounds = table.columns.some(({ id }) => id === 'bound')
  return (
    <div className="stack-12" aria-busy={value === null}>
      <div className="cluster-8-24">
        <Tabs
          label="Table"
          tabs={TABLES.map((id) => ({ id, label: NAMES[id] }))}
          shown={kind}
          onShow={(next) => {
            setKind(next)
            setSort(null)
          }}
        />
        <label className="cluster small">
          Filter
          <input
            type="text"
            value={wanted}
            placeholder="any words"
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
        </label>
        {(kind === 'operators' || kind === 'kernels') && (
          <Choice label="by shape" isOn={byShape} onTurn={setByShape} />
        )}
        {table.steps > 1 && !other && <Choice label="per step" isOn={isPerStep} onTurn={setPerStep} />}
      </div>
      {table.rows.length === 0 ? (
        <p className="small">{EMPTY[table.kind]}</p>
      ) : (
        <>
          <p className="small quiet" role="status">
            {formatCount(rows.length, 'row')}
            {rows.length < table.rows.length && ` of ${formatNumber(table.rows.length)}`}
            {`, ${formatCount(table.steps, 'step')} of ${durationText(table.stepNs)} on average.`}
            {share > 0 && ` They take ${cellText(share, 'share')} of a step on the device.`}
            {other && ` Times per step, next to ${other.name}.`}
          </p>
          <RowsTable
            key={`${table.kind} ${String(made.before !== null)}`}
            {...{ ...shown, sort, onSpan }}
            label={NAMES[table.kind]}
            onSort={setSort}
          />
          <div className="cluster-8-24 small no-print">
            <CopyButton look="button-small" label="Copy CSV" text={() => tableCsv(shown)} />
            <CopyButton look="button-small" label="Copy Markdown" text={() => tableMarkdown(shown)} />
            {other ? (
              <Button look="small" label="Stop comparing" onClick={() => setOther(null)} />
            ) : (
              <Compare onOther={setOther} />
            )}
          </div>
          {hasBounds && <PeakFields peak={made.peak} own={own} onOwn={setOwn} />}
        </>
      )}
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly isOn: boolean
  readonly onTurn: (isOn: boolean) => void
}

const Choice = ({ label, isOn, onTurn }: ChoiceProps) => (
  <label className="cluster small">
    <input type="checkbox" checked={isOn} onChange={(event) => onTurn(event.currentTarget.checked)} />
    {label}
  </label>
)

const hasDevice = ({ trace }: PlacedTrace): boolean => trace.lanes.some((lane) => lane.kind === 'device')

/** Opens an earlier profile, whose rows these are held against. */
const Compare = ({ onOther }: { readonly onOther: (other: Other) => void }) => {
  const { importer } = useLab()
  const [said, setSaid] = useState('')
  const [reading, setReading] = useState<AbortController | null>(null)
  // Ends with the button: when the profile is there, before its verdict; or who asked is gone.
  useEffect(() => () => reading?.abort(), [reading])
  const open = async (file: File): Promise<void> => {
    const stop = new AbortController()
    setReading(stop)
    setSaid(`Reading ${file.name} …`)
    const read = await importer.read(file, {
      origin: 'imported',
      gaps: 'of-devices',
      signal: stop.signal,
      onOpened: ({ placed }) => onOther({ name: file.name, placed }),
    })
    if (read.status !== 'failed') return
    setReading(null)
    setSaid(read.fault.message)
  }
  return (
    <>
      <FileButton
        label="Compare with an earlier profile"
        look="small"
        onFiles={([file]) => inBackground(open(file))}
      />
      <span role="status">{said}</span>
      {reading && (
        <Button
          look="small"
          label="Cancel"
          onClick={() => {
            setReading(null)
            setSaid('')
          }}
        />
      )}
    </>
  )
}
