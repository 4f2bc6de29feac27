/**
 * A lesson's question, its run and what it showed, for a frame in somebody else's page: no header,
 * no footer, nothing measured before a press inside it. What it tells the page round it: frame.ts.
 */
import { type MouseEvent, type ReactNode, type RefObject, Suspense, useEffect, useMemo, useRef } from 'react'
import type { ExperimentLesson, Lesson, ProfilesLesson } from '../../../lessons/lesson'
import { FIRST_RUN, runKey } from '../../state/lesson-runs'
import { addressOf, lessonRoute, readAddress, type Route, type RouteOf } from '../../state/url'
import { FaultNotice } from '../FaultNotice'
import { formatQuantity } from '../format'
import { type AppContext, LabContext, resolvedLab, useLab, useProgress } from '../lab-context'
import { profilesScreens } from '../lesson/profiles/screens'
import { screens } from '../lesson/screens'
import { useLesson } from '../lesson/use-lesson'
import { useLessonRun } from '../lesson/use-lesson-run'
import { useScreenFocus } from '../lesson/use-screen-focus'
import { NotFoundPage } from '../NotFoundPage'
import { ReadingContext } from '../prose/Prose'
import { Quantities, ScreenRoom } from '../prose/Inline'
import { useStore } from 'zustand'
import { useTitle } from '../use-title'
import { tellParent, withinFrame } from './frame'
import '../run/run.css'
import '../lesson/lesson.css'
import './embed.css'

type EmbedRoute = RouteOf<'embed'>

/** The lab as it is in a frame: what leads to another page opens a tab. */
function useFramedLab(id: string): AppContext {
  const lab = useLab()
  return useMemo(() => {
    const { route } = lab
    const go = (to: Route) => {
      const inside = withinFrame(to, id)
      if (inside) route.go(inside)
      else window.open(addressOf(to), '_blank', 'noopener')
    }
    const replace = (to: Route) => {
      const inside = withinFrame(to, id)
      if (inside) route.replace(inside)
    }
    return { ...lab, route: { ...route, go, replace } }
  }, [lab, id])
}

/** Tells the height of the frame's content, whenever it changes. */
function useToldHeight(lesson: string) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    let told = 0
    const observer = new ResizeObserver(() => {
      const height = Math.ceil(element.getBoundingClientRect().height)
      if (height === told) return
      told = height
      tellParent(window, lesson, { type: 'hdl:height', height })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [lesson])
  return ref
}

/**
 * Tells once that the question was answered (or skipped) and a run has answered it, too: now, or
 * before in this browser.
 */
function useToldCompletion(lesson: string): void {
  const { lessons, lessonRuns } = useLab()
  useEffect(() => {
    let isTold = false
    const tell = () => {
      const { prediction = null, outcome = null } = lessons.store.getState().lessons[lesson] ?? {}
      const run = lessonRuns.store.getState().runs[runKey(lesson, FIRST_RUN)]
      if (isTold || !prediction || !(outcome ?? run?.report?.validity.valid)) return
      isTold = true
      tellParent(window, lesson, { type: 'hdl:completed' })
    }
    tell()
    const ends = [lessons.store.subscribe(tell), lessonRuns.store.subscribe(tell)]
    return () => ends.forEach((end) => end())
  }, [lessons, lessonRuns, lesson])
}

interface FrameProps {
  readonly screen: string
  readonly page: RefObject<HTMLElement | null>
  readonly label: string
  readonly children: ReactNode
}

const Frame = ({ screen, page, label, children }: FrameProps) => (
  <section ref={page} className={`shrinks lesson-${screen}`} aria-label={label}>
    <ScreenRoom>{children}</ScreenRoom>
  </section>
)

const Experiment = ({ lesson, route }: { readonly lesson: ExperimentLesson; readonly route: EmbedRoute }) => {
  const state = useLessonRun(lesson, route)
  const { addressFault } = state
  const screen = state.screen === 'see' || state.screen === 'change' ? state.screen : 'predict'
  const page = useScreenFocus(screen === 'change' ? `${screen}/${state.step}` : screen)
  const { Page: Shown } = screens[screen]
  return (
    <ReadingContext value={state.readingOf(state.ended(FIRST_RUN))}>
      {addressFault && <FaultNotice fault={addressFault} />}
      <Frame {...{ screen, page }} label="The experiment">
        <Shown lesson={lesson} state={state} />
      </Frame>
    </ReadingContext>
  )
}

const Profiles = ({ lesson, route }: { readonly lesson: ProfilesLesson; readonly route: EmbedRoute }) => {
  const progress = useProgress(lesson.id)
  const screen = route.screen === 'see' || (route.screen === '' && progress.prediction) ? 'see' : 'predict'
  const page = useScreenFocus(screen)
  const { Page: Shown } = profilesScreens[screen]
  return (
    <Frame {...{ screen, page }} label="The profile">
      <Shown lesson={lesson} progress={progress} step={route.step} />
    </Frame>
  )
}

/** Which device it is, and how fine its clock: what the header says elsewhere. */
const Device = () => {
  const { device: facts, environment } = useStore(useLab().device.store)
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
  const lab = useFramedLab(lesson.id)
  const lazyLab = useMemo(() => resolvedLab(lab), [lab])
  const content = useToldHeight(lesson.id)
  useToldCompletion(lesson.id)
  useTitle(lesson.question)
  const whole = addressOf(lessonRoute(lesson.id, route.screen, route.step, route.query))
  /**
   * Links of the lesson's screens are those of its own page: they stay in the frame where it has
   * the screen, else they open a tab.
   */
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
            <Experiment lesson={lesson} route={route} />
          ) : (
            <Profiles lesson={lesson} route={route} />
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
