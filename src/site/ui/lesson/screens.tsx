/**
 * The screens of a lesson. The first is the question; the others are loaded when it has been drawn,
 * or before where an address names one.
 */
import { lazyPage, type LazyPage } from '../lazy-page'
import type { Screen, ScreenProps } from './use-lesson-run'
import { lazy, Suspense, useContext, useSyncExternalStore } from 'react'
import { FIRST_RUN } from '../../state/lesson-runs'
import { partsFor } from '../../../text/template'
import { FaultNotice } from '../FaultNotice'
import { useLab, type AppContext } from '../lab-context'
import { ReadingContext } from '../prose/Prose'
import { useStore } from 'zustand'
import { PredictForm, runsOn } from './PredictForm'
import { isLesson, loadLesson } from '../../../lessons/load'
import { metaOf } from '../../../experiments/catalog'
import type { Asked } from '../../../lessons/lesson'
import { inBackground } from '../../state/in-background'
import { lessonRoute } from '../../state/url'
import { playLesson, runLesson } from './run-lesson'

/** The question of an experiment, a model to play with, and the key that runs it. */
const LessonPlay = lazy(async () => ({ default: (await import('../play/Play')).LessonPlay }))

// The file of a page has no play, and a frame of another site neither.
const never = () => () => undefined
const yes = () => true
const no = () => false

const PredictScreen = ({ lesson, state }: ScreenProps) => {
  const isBrowser = useSyncExternalStore(never, yes, no)
  const isFramed = useStore(useLab().route.store, (each) => each.route.page) === 'embed'
  const play = isBrowser && !isFramed && (
    <Suspense fallback={null}>
      <LessonPlay lesson={lesson.id} />
    </Suspense>
  )
  const { asked, progress, values, recordedOnly, deviceFault } = state
  const playsFirst = state.playsFirst(FIRST_RUN)
  return (
    <PredictForm
      asked={asked}
      ask={lesson.ask}
      intro={partsFor(lesson.intro, useContext(ReadingContext))}
      stored={progress.prediction}
      {...runsOn(recordedOnly ? 'no-gpu' : playsFirst ? 'software' : null)}
      picture={play}
      isBlocked={values === null}
      onPredict={(prediction) => {
        state.predict(prediction)
        state.begin(FIRST_RUN, values)
        state.goTo('see')
      }}
    >
      {recordedOnly && deviceFault && <FaultNotice fault={deviceFault} />}
    </PredictForm>
  )
}

export const screens: Readonly<Record<Screen, LazyPage<ScreenProps>>> = {
  predict: { Page: PredictScreen, load: () => Promise.resolve() },
  see: lazyPage(async () => (await import('./SeeScreen')).SeeScreen),
  mend: lazyPage(async () => (await import('../../exercise/ExerciseScreen')).ExerciseScreen),
  change: lazyPage(async () => (await import('./ChangeScreen')).ChangeScreen),
  why: lazyPage(async () => (await import('./WhyScreen')).WhyScreen),
}

/** A lesson of recorded profiles has screens of its own: profiles/screens.ts. */
export const profilesBody = lazyPage(async () => (await import('./profiles/screens')).ProfilesBody)

/**
 * '' and an unknown name load nothing: the question is there, and where progress leads is known
 * once the page is drawn.
 */
async function loadNamed(all: Readonly<Record<string, Pick<LazyPage<never>, 'load'>>>, screen: string) {
  if (Object.hasOwn(all, screen)) await all[screen]?.load()
}

/**
 * A lesson's words, and the code of one screen. Nothing where there is no such lesson.
 * @param screen as the address has it: drawn at once, what stands below it does not jump
 */
export async function loadWhole(id: string, screen = ''): Promise<void> {
  if (!isLesson(id)) return
  const words = await loadLesson(id)
  if (words.kind === 'experiment') await loadNamed(screens, screen)
  else {
    const loadScreen = async () => loadNamed((await import('./profiles/screens')).profilesScreens, screen)
    await Promise.all([profilesBody.load(), loadScreen()])
  }
}

/**
 * What a press on the home page's question does: the lesson, loaded by then or now, its run, and
 * its page. Rejects where something of it could not be loaded. Nothing is run for a visitor who has
 * left the home page by then.
 */
export async function beginLesson(
  resolvedLab: () => Promise<AppContext>,
  id: string,
  asked: Asked,
  plays: boolean,
): Promise<void> {
  const [lab, lesson] = await Promise.all([resolvedLab(), loadLesson(id), screens.see.load()])
  if (lesson.kind !== 'experiment') throw new Error(`The lesson '${id}' runs nothing.`)
  const work = { lesson, asked, meta: metaOf(lesson.experiment) }
  const { route } = lab
  if (route.store.getState().route.page !== 'home') return
  inBackground(plays ? playLesson(lab, work, FIRST_RUN) : runLesson(lab, work, FIRST_RUN, lesson.values))
  route.go(lessonRoute(id, 'see'))
}
