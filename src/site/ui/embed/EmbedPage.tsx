/**
 * A lesson's question, its run and what it showed, for a frame in somebody else's page: no header, no footer, nothing measured before a press
 * inside it. What it tells the page round it: frame.ts.
 */
import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { ExperimentLesson, Lesson, ProfilesLesson } from '../../../lessons/lesson'
import { FIRST_RUN } from '../../state/lesson-runs'
import { isUnderWay } from '../../state/run-store'
import { addressOf, lessonRoute, readAddress, type Route, type RouteOf } from '../../state/url'
import { FaultNotice } from '../FaultNotice'
import { formatQuantity } from '../format'
import { type AppContext, LabContext, resolvedLab, useLab, useProgress } from '../lab-context'
import { profilesScreens } from '../lesson/profiles/screens'
import { screens } from '../lesson/screens'
import { useLesson } from '../lesson/use-lesson'
import { type LessonRun, useLessonRun } from '../lesson/use-lesson-run'
import { useScreenFocus } from '../lesson/use-screen-focus'
import { NotFoundPage } from '../NotFoundPage'
import { Tabs } from '../Tabs'
import { ReadingContext } from '../prose/Prose'
import { Quantities, ScreenRoom } from '../prose/Inline'
import { useStore } from 'zustand'
import { useTitle } from '../use-title'
import { type FrameMessage, messagesOf, tellParent, type Told, withinFrame } from './frame'
import type { Report } from '../../../trace/report'
import '../run/run.css'
import '../lesson/lesson.css'
import './embed.css'

/**
 * A screen of a lesson in a frame is cut into parts, of which one is in view, so that each fits the height which the code of a frame asks for
 * (FRAME_HEIGHT of frame.ts): a page that does not listen shows it whole. embed.css says what each part has.
 */
interface Part {
  readonly id: string
  readonly label: string
}

const chartsOf = (report: Report | null | undefined): readonly Part[] => {
  const figures = report?.figures ?? []
  return figures.map((_, index) => ({
    id: `chart-${String(index + 1)}`,
    label: figures.length === 1 ? 'Chart' : `Chart ${String(index + 1)}`,
  }))
}

const PROGRAM: Part = { id: 'program', label: 'Replay and program' }

const QUESTION_PARTS: readonly Part[] = [
  { id: 'question', label: 'The question' },
  { id: 'about', label: 'What it is about' },
]

const resultParts = (report: Report): readonly Part[] => [
  { id: 'result', label: 'Result' },
  { id: 'answer', label: 'Answer' },
  PROGRAM,
  ...chartsOf(report),
]

/** @param after what the step shows: its own run, or the lesson's where it has none */
const stepParts = (
  { steps }: ExperimentLesson,
  open: string,
  after: Report | null | undefined,
): readonly Part[] => {
  const runs = steps.find(({ id }) => id === open)?.action !== undefined
  const pictures = runs
    ? [{ id: 'picture', label: 'Before and after' }]
    : [{ id: 'picture', label: 'Picture' }, PROGRAM]
  return [
    { id: 'step', label: 'The step' },
    ...(after ? [...pictures, ...chartsOf(after)] : []),
    ...(after || !runs ? [{ id: 'look', label: 'Look for' }] : []),
    { id: 'steps', label: 'All steps' },
  ]
}

type EmbedRoute = RouteOf<'embed'>
type Tell = (message: FrameMessage) => void
/** The screens of an experiment that a frame has. */
type FrameScreen = 'predict' | 'see' | 'change'

const openApart = (route: Route) => {
  window.open(addressOf(route), '_blank', 'noopener')
}

/** The lab as it is in a frame: what leads to another page opens a tab, and a prediction is told. */
function useFramedLab(id: string, tell: Tell): AppContext {
  const lab = useLab()
  return useMemo(
    () => ({
      ...lab,
      route: {
        ...lab.route,
        go: (route: Route) => {
          const inside = withinFrame(route, id)
          if (inside) lab.route.go(inside)
          else openApart(route)
        },
        replace: (route: Route) => {
          const inside = withinFrame(route, id)
          if (inside) lab.route.replace(inside)
        },
      },
      lessons: {
        ...lab.lessons,
        predict: (lesson, prediction) => {
          lab.lessons.predict(lesson, prediction)
          if (prediction) tell({ type: 'hdl:predicted', skipped: prediction.kind === 'skipped' })
        },
      },
    }),
    [lab, id, tell],
  )
}

/** Of the frame's content, whenever it changes. */
function useToldHeight(tell: Tell) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    let told = 0
    const observer = new ResizeObserver(() => {
      const height = Math.ceil(element.getBoundingClientRect().height)
      if (height === told) return
      told = height
      tell({ type: 'hdl:height', height })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [tell])
  return ref
}

/** Runs of this lesson that end here. */
function useToldRuns(id: string, tell: Tell): void {
  const { run } = useLab()
  useEffect(
    () =>
      run.store.subscribe(({ owner, phase, report, origin }, before) => {
        const [, lesson, step = ''] = owner.split('/')
        if (phase !== 'done' || before.phase === 'done' || lesson !== id || !report) return
        if (origin === 'imported') return
        tell({
          type: 'hdl:measured',
          step: step === FIRST_RUN ? '' : step,
          outcome: report.verdict.outcome,
          counts: report.validity.valid,
          recorded: origin === 'recorded',
        })
      }),
    [run, id, tell],
  )
}

/** None: it is short, or all of it is to be seen, as while a run is under way. */
const NO_PARTS: readonly Part[] = []

function partsOf(lesson: ExperimentLesson, state: LessonRun, screen: FrameScreen): readonly Part[] {
  const at = screen === 'change' ? state.step : FIRST_RUN
  const underWay = state.underWay(at)
  if (underWay && isUnderWay(underWay.phase)) return NO_PARTS
  const report = (each: string) => state.ended(each)?.report
  if (screen === 'predict') return QUESTION_PARTS
  if (screen === 'change') {
    const isRun = lesson.steps.find(({ id }) => id === at)?.action !== undefined
    return stepParts(lesson, at, report(isRun ? at : FIRST_RUN))
  }
  const shown = report(at)
  return shown ? resultParts(shown) : NO_PARTS
}

interface PartsProps {
  readonly parts: readonly Part[]
  readonly screen: string
  readonly page: RefObject<HTMLElement | null>
  readonly label: string
  readonly children: ReactNode
}

/** One part of a screen at a time, from its first on whenever another screen or run is shown. */
const Parts = ({ parts, screen, page, label, children }: PartsProps) => {
  const [asked, setAsked] = useState('')
  const shown = parts.find(({ id }) => id === asked)?.id ?? parts[0]?.id
  return (
    <>
      {shown !== undefined && (
        <Tabs
          label="Parts of this screen"
          tabs={parts}
          shown={shown}
          onShow={setAsked}
          className="embed-parts no-print"
        />
      )}
      <section
        ref={page}
        className={`embed-screen shrinks lesson-${screen}`}
        data-part={shown}
        aria-label={label}
      >
        <ScreenRoom>{children}</ScreenRoom>
      </section>
    </>
  )
}

const Screens = ({ lesson, route }: { readonly lesson: ExperimentLesson; readonly route: EmbedRoute }) => {
  const state = useLessonRun(lesson, route)
  const { addressFault, step } = state
  const screen: FrameScreen = state.screen === 'see' || state.screen === 'change' ? state.screen : 'predict'
  const place = screen === 'change' ? `${screen}/${step}` : screen
  const page = useScreenFocus(place)
  const { Page: Shown } = screens[screen]
  return (
    <ReadingContext value={state.readingOf(state.ended(FIRST_RUN))}>
      {addressFault && <FaultNotice fault={addressFault} />}
      <Parts key={place} {...{ screen, page }} parts={partsOf(lesson, state, screen)} label="The experiment">
        <Shown lesson={lesson} state={state} />
      </Parts>
    </ReadingContext>
  )
}

interface ProfilesProps {
  readonly lesson: ProfilesLesson
  readonly route: EmbedRoute
  readonly tell: Tell
}

const Profiles = ({ lesson, route, tell }: ProfilesProps) => {
  const { lessons } = useLab()
  const progress = useProgress(lesson.id)
  const screen = route.screen === 'see' || (route.screen === '' && progress.prediction) ? 'see' : 'predict'
  useEffect(
    () =>
      lessons.store.subscribe((now, before) => {
        const [is, was] = [now, before].map((each) => each.lessons[lesson.id]?.outcome ?? null)
        if (is && is !== was)
          tell({ type: 'hdl:measured', step: '', outcome: 'shown', counts: true, recorded: true })
      }),
    [lessons, lesson, tell],
  )
  const page = useScreenFocus(screen)
  const { Page: Shown } = profilesScreens[screen]
  return (
    <Parts
      key={screen}
      {...{ screen, page }}
      parts={screen === 'predict' ? QUESTION_PARTS : NO_PARTS}
      label="The profile"
    >
      <Shown lesson={lesson} progress={progress} step={route.step} />
    </Parts>
  )
}

/** Which device it is, and how fine its clock: what the header says elsewhere. */
const Device = () => {
  const { device } = useLab()
  const { device: facts, environment } = useStore(device.store)
  if (!facts) return null
  return (
    <span data-testid="embed-device">
      {facts.adapterName}
      {environment && (
        <Quantities
          text={`, the host’s clock steps by ${formatQuantity(environment.hostClockStepUs, 'us')}`}
        />
      )}
      {!facts.crossOriginIsolated &&
        '. In this frame the browser coarsens the host’s clock; in a tab of its own it may be finer'}
      .
    </span>
  )
}

const Body = ({ lesson, route }: { readonly lesson: Lesson; readonly route: EmbedRoute }) => {
  const told = useRef<Told>({ predicted: false, measured: false, completed: false })
  const tell = useMemo<Tell>(
    () => (message) => {
      for (const each of messagesOf(told.current, message)) tellParent(window, lesson.id, each)
    },
    [lesson],
  )
  const lab = useFramedLab(lesson.id, tell)
  const lazyLab = useMemo(() => resolvedLab(lab), [lab])
  const content = useToldHeight(tell)
  useToldRuns(lesson.id, tell)
  useTitle(lesson.question)
  const whole = addressOf(lessonRoute(lesson.id, route.screen, route.step, route.query))
  /** Links of the lesson's screens are those of its own page: they stay in the frame where it has the screen, else they open a tab. */
  const follow = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]')
    if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return
    const inside = withinFrame(readAddress(link.getAttribute('href') ?? ''), lesson.id)
    if (!inside || link.target === '_blank') {
      link.target = '_blank'
      link.rel = 'noopener'
      return
    }
    event.preventDefault()
    lab.route.go(inside)
  }
  return (
    <LabContext value={lazyLab}>
      {/* The presses are the links' own; this only sees where they lead. */}
      <div ref={content} className="page lesson embed" onClickCapture={follow}>
        <h1 className="size-3">{lesson.question}</h1>
        <Suspense fallback={<p className="loading">Loading.</p>}>
          {lesson.kind === 'experiment' ? (
            <Screens lesson={lesson} route={route} />
          ) : (
            <Profiles lesson={lesson} route={route} tell={tell} />
          )}
        </Suspense>
        <p className="embed-foot small quiet">
          <a href={whole} target="_blank" rel="noopener">
            Open in the Host/Device Lab
          </a>{' '}
          <span>Nothing you measure leaves this frame.</span> <Device />
        </p>
      </div>
    </LabContext>
  )
}

export const EmbedPage = ({ route }: { readonly route: EmbedRoute }) => {
  const lesson = useLesson(route.id)
  if (!lesson) return <NotFoundPage what={`There is no lesson ‘${route.id}’.`} />
  return <Body lesson={lesson} route={route} />
}
