/** What surprised the reader, over all lessons: where what was measured is not what was expected, with the way to each. */
import { useEffect, useState } from 'react'
import { lessonIndex } from 'virtual:lesson-index'
import type { Meta } from '../../../experiments/catalog-of'
import { metaOf } from '../../../experiments/metas'
import { loadLesson } from '../../../lessons/load'
import type { ExperimentLesson } from '../../../lessons/lesson'
import { inBackground } from '../../state/in-background'
import { runKey, type LessonRuns } from '../../state/lesson-runs'
import type { LessonProgress } from '../../state/lesson-store'
import { useLab } from '../lab-context'
import { expectationsOf, type Expectation } from '../lesson/expectations'
import { ExpectedRows, ExpectedTable } from '../lesson/Expected'
import { useStore } from '../use-store'

interface OfLesson {
  readonly lesson: ExperimentLesson
  readonly meta: Meta
  readonly rows: readonly Expectation[]
}

const hasExpected = (progress: LessonProgress | undefined): boolean =>
  progress?.prediction?.kind === 'made' ||
  Object.keys({ ...progress?.guesses, ...progress?.curves }).length > 0

async function expectedIn(id: string, progress: LessonProgress, runs: LessonRuns): Promise<OfLesson | null> {
  const lesson = await loadLesson(id)
  if (lesson.kind !== 'experiment') return null
  const meta = metaOf(lesson.experiment)
  const kept = await runs.reports(id)
  return {
    lesson,
    meta,
    rows: expectationsOf(lesson, meta, progress, (at) => kept.get(runKey(id, at)) ?? null),
  }
}

/** Null while they are read: one lesson after the other, so that the page answers meanwhile. */
function useExpected(): readonly OfLesson[] | 'failed' | null {
  const { lessons, lessonRuns } = useLab()
  const saved = useStore(lessons.store, (state) => state.lessons)
  const [found, setFound] = useState<readonly OfLesson[] | 'failed' | null>(null)
  useEffect(() => {
    let isWanted = true
    const read = async (): Promise<readonly OfLesson[]> => {
      const all: OfLesson[] = []
      for (const { id } of lessonIndex) {
        const progress = saved[id]
        if (!isWanted || !progress || !hasExpected(progress)) continue
        const one = await expectedIn(id, progress, lessonRuns)
        if (one) all.push(one)
      }
      return all
    }
    const take = (all: readonly OfLesson[] | 'failed') => {
      if (isWanted) setFound(all)
    }
    inBackground(
      read().then(take, (thrown: unknown) => {
        take('failed')
        throw thrown
      }),
    )
    return () => {
      isWanted = false
    }
  }, [saved, lessonRuns])
  return found
}

export const Surprises = () => {
  const found = useExpected()
  const lessons = found === 'failed' || found === null ? [] : found
  const surprising = lessons
    .map(({ rows, ...rest }) => ({ ...rest, rows: rows.filter(({ became }) => became === 'surprise') }))
    .filter(({ rows }) => rows.length > 0)
  const isAsked = lessons.some(({ rows }) => rows.length > 0)
  if (found !== 'failed' && !isAsked) return null
  return (
    <section aria-labelledby="surprises" className="stack-8" data-testid="surprises">
      <h2 id="surprises">What surprised you</h2>
      {found === 'failed' && (
        <p className="quiet">The lessons could not be loaded: check the connection and reload the page.</p>
      )}
      {isAsked && surprising.length === 0 && (
        <p className="quiet">Nothing, in the runs that are kept of your lessons.</p>
      )}
      {surprising.length > 0 && (
        <ExpectedTable label="surprises">
          {surprising.map(({ lesson, meta, rows }) => (
            <tbody key={lesson.id}>
              <tr>
                <th scope="rowgroup" colSpan={3}>
                  Lesson {lesson.number}: {lesson.question}
                </th>
              </tr>
              <ExpectedRows {...{ lesson, meta, rows }} />
            </tbody>
          ))}
        </ExpectedTable>
      )}
    </section>
  )
}
