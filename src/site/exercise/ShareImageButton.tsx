/** 'Save a card': what was guessed, measured and mended, as a picture to share. */
import { useState } from 'react'
import type { Asked, ExperimentLesson } from '../../lessons/lesson'
import type { ExerciseFigure } from '../../exercises/types'
import { toFault } from '../../base/fault'
import type { LessonProgress } from '../state/lesson-store'
import type { ExerciseResult } from './store'
import { formatDate, formatFigures, formatQuantity, withUnit } from '../ui/format'
import { saveFile } from '../ui/save-file'
import { shareAddress, sharePng, type ShareWords } from '../ui/strips/share-png'
import { excerptOfExercise } from './ExerciseStrips'
import { Button } from '../ui/Button'

/** Only numbers of this visitor's machine: what was measured on another is left out. */
function shareWords(
  lesson: Pick<ExperimentLesson, 'id' | 'question'>,
  asked: Pick<Asked, 'unit'>,
  { prediction, outcome }: Pick<LessonProgress, 'prediction' | 'outcome'>,
  figure: ExerciseFigure,
  { graded }: Pick<ExerciseResult, 'graded'>,
): ShareWords {
  const { start, yours } = graded.figures
  const inUnit = (value: number) => withUnit(formatFigures(value), asked.unit)
  const say = (value: number) => formatQuantity(value, figure.unit)
  const { environment, yours: report } = graded.evidence
  // Where a check cannot tell, nothing is called mended.
  const name = graded.passed === true ? 'mended' : 'my program'
  return {
    question: lesson.question,
    numbers: [
      ...(prediction?.kind === 'made' ? [{ label: 'I guessed', value: inUnit(prediction.value) }] : []),
      ...(outcome && !outcome.recorded ? [{ label: 'I measured', value: inUnit(outcome.value) }] : []),
      ...(yours === null
        ? []
        : [{ label: start === null ? name : `${name}, from ${say(start)}`, value: say(yours) }]),
    ],
    about: yours === null ? '' : `${say(yours)} ${figure.words}.`,
    origin: [
      environment.adapterName,
      ...(report.trace ? [formatDate(report.trace.info.startedAt)] : []),
    ].join(' · '),
    address: shareAddress(lesson.id),
  }
}

interface ShareImageButtonProps {
  readonly lesson: ExperimentLesson
  readonly asked: Asked
  readonly progress: LessonProgress
  readonly figure: ExerciseFigure
  readonly result: ExerciseResult
}

export const ShareImageButton = ({ lesson, asked, progress, figure, result }: ShareImageButtonProps) => {
  const [said, setSaid] = useState('')
  const save = async (): Promise<string> => {
    const words = shareWords(lesson, asked, progress, figure, result)
    const excerpt = excerptOfExercise(result.runs, ['start', 'yours'], {
      ...lesson.excerpt,
      variants: [figure.run],
    })
    const blob = await sharePng(words, excerpt)
    saveFile(`${lesson.id}-mended.png`, [blob], 'image/png')
    return `Saved ${lesson.id}-mended.png`
  }
  return (
    <>
      <Button
        look="main"
        label="Save a card to share"
        onClick={() => {
          setSaid('')
          save().then(setSaid, (thrown: unknown) => setSaid(toFault(thrown).message))
        }}
      />
      <span role="status" className="small quiet">
        {said}
      </span>
    </>
  )
}
