/** How far a visitor has come in a lesson, in words: what stands between beginning and end. */
import type { LessonHead } from 'virtual:lesson-index'
import type { LessonProgress } from '../../state/lesson-store'
import { formatCount, formatFigures, formatNumber, withUnit } from '../format'

function progressWords(
  { prediction, outcome, answers, mend, finds = {} }: LessonProgress,
  head: LessonHead,
): string | null {
  const parts: string[] = []
  if (prediction?.kind === 'made')
    parts.push(`you said ${withUnit(formatNumber(prediction.value), prediction.unit ?? head.unit)}`)
  if (prediction?.kind === 'skipped') parts.push('prediction skipped')
  if (outcome) {
    const value = withUnit(formatFigures(outcome.value), outcome.unit ?? head.unit)
    parts.push(
      `${outcome.recorded ? 'recorded' : 'measured'} ${value}${outcome.recorded ? ` on ${outcome.adapter}` : ''}`,
    )
  }
  if (mend && mend.passed !== false) parts.push(MENDED[mend.passed === true ? 'true' : 'null'])
  if (Object.keys(finds).length > 0)
    parts.push(
      `the line found in ${formatNumber(Object.values(finds).filter(({ found }) => found).length)} of ${formatCount(head.profiles, 'profile')}`,
    )
  const answered = Object.keys(answers).length
  if (answered > 0)
    parts.push(`${formatNumber(answered)} of ${formatCount(head.questions, 'question')} answered`)
  return parts.length > 0 ? parts.join(' · ') : null
}

const MENDED: Readonly<Record<'true' | 'null', string>> = {
  true: 'mended',
  null: 'mended, as far as this machine can tell',
}

interface PathProgressProps {
  readonly progress: LessonProgress
  readonly head: LessonHead
}

export const PathProgress = ({ progress, head }: PathProgressProps) => {
  const words = progressWords(progress, head)
  return words !== null && <p className="small quiet">{words}</p>
}
