/** The peak that rates are held against: the device's data sheet, or the reader's own figures. */
import { PEAK_NAMES, type KnownPeak, type OwnPeak } from '../../analysis/tables/peaks'
import { formatNumber } from '../ui/format'

const UNITS = { memory: 'GB/s' } as const

export const PeakFields = ({
  peak,
  own,
  onOwn,
}: {
  readonly peak: KnownPeak | null
  readonly own: OwnPeak
  readonly onOwn: (own: OwnPeak) => void
}) => (
  <details className="small no-print">
    <summary>
      {peak
        ? `Bounds by the ${peak.source}: ${formatNumber(peak.memory)} GB/s of memory, ${formatNumber(peak.bf16)} TFLOP/s in bf16`
        : 'Bounds need your device’s peak'}
    </summary>
    <p>
      The bound is the longer of operations over TFLOP/s and bytes over GB/s. An f32 product on tensor cores
      is held against TF32.
    </p>
    <div className="cluster-8-24 peak-fields">
      {PEAK_NAMES.map((name) => (
        <label key={name}>
          {name === 'memory' ? 'Memory' : name}, {name in UNITS ? UNITS.memory : 'TFLOP/s'}{' '}
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
