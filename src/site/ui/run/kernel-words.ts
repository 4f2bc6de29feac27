/** Which kernel trials chose and how, for the line under the verdict; null where the kernel was named. */
import type { Report } from '../../../trace/report'
import { formatCount } from '../format'

export function kernelWords({ derived }: Pick<Report, 'derived'>): string | null {
  const { kernel, kernelOrigin, kernelTrials, kernelTrialShape } = derived
  if (typeof kernel !== 'string' || typeof kernelOrigin !== 'string') return null
  const at = typeof kernelTrialShape === 'string' ? ` for ${kernelTrialShape}` : ''
  switch (kernelOrigin) {
    case 'measured':
      return `${kernel} chosen${at} by trials of ${formatCount(typeof kernelTrials === 'number' ? kernelTrials : 0, 'kernel')}`
    case 'remembered':
      return `${kernel} chosen${at} by earlier trials, its result checked again`
    case 'only-candidate':
      return `${kernel}, the only kernel that runs here${at}`
    default:
      return null
  }
}
