/** What the first page never writes, apart from format.ts, which it loads. */
import { fixed, formatAs, formatNumber, isLopsided, NARROW, pickUnit, type Figure } from './format'

/**
 * Figures of one table: one unit for each metric, as its largest value has it, and one notation of
 * intervals for all.
 */
export function formatTogether(metrics: readonly (Figure | undefined)[]): readonly string[] {
  const asRange = metrics.some((metric) => metric && isLopsided(metric))
  return metrics.map((metric) => {
    // A few bytes beside mebibytes would be written with six zeros.
    if (!metric || metric.unit === 'bytes') return formatAs(metric, undefined, asRange)
    const alike = metrics.flatMap((one) => (one?.name === metric.name ? [one.value ?? 0] : []))
    return formatAs(metric, pickUnit(metric.unit, Math.max(...alike), metric.name), asRange)
  })
}

/** Small errors, which need a power of ten: '3.1 × 10⁻⁷'. */
export function formatTiny(value: number): string {
  if (value === 0) return '0'
  if (Math.abs(value) >= 1e-3) return formatNumber(value)
  const exponent = Math.floor(Math.log10(Math.abs(value)))
  const superscript = Array.from(String(-exponent), (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit))).join('')
  return `${fixed(value / 10 ** exponent, 1)}${NARROW}×${NARROW}10⁻${superscript}`
}
