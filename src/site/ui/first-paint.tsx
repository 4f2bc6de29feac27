/**
 * The site's pages as HTML, drawn while the site is built (vite/first-paint.ts) by the components
 * that draw them in the browser: a visitor reads one before any JavaScript has arrived, and the
 * page that replaces it looks the same. A page that is nothing without a run or a file has its
 * heading only.
 */
import { prerender } from 'react-dom/static'
import type { LessonRunsState } from '../state/lesson-runs'
import { createLessonStore } from '../state/lesson-store'
import { createLocalStore } from '../state/storage'
import { createViewStore } from '../state/view-store'
import { lessonIndex } from 'virtual:lesson-index'
import { experiments } from '../../experiments/catalog'
import { questions } from '../../lessons/questions'
import { loadLesson } from '../../lessons/load'
import { addressOf, lessonRoute, pageFile, type Route } from '../state/url'
import { createRouteStore } from '../state/route-store'
import { createDeviceStore } from '../state/device-store'
import { createOfflineStore } from '../state/offline-store'
import { NO_RUN } from '../state/run-store'
import { createStore } from 'zustand/vanilla'
import type { ReactNode } from 'react'
import { NO_READING, partsFor, type Passage } from '../../text/template'
import { App } from './App'
import { embedRoute } from './embed/frame'
import { LessonText } from './lesson/LessonText'
import { type AppContext, createLazyLab, LabContext, type LazyLab, type Shell } from './lab-context'
import { lessonIn, loadFor, routes } from './routes'
import { Header, SiteFooter } from './SiteFrame'

/** A page before it has come: what is round it, and its heading. */
const HeadingOnly = ({ heading }: { readonly heading: string }) => (
  <>
    <Header />
    <main id="main" tabIndex={-1}>
      <div className="page">
        <div className="page-head stack-12">
          <h1>{heading}</h1>
        </div>
      </div>
    </main>
    <SiteFooter />
  </>
)

const never = new Promise<never>(() => undefined)
const nothing = () => undefined
/** Stands for wherever the site will lie: links are relative. */
const ROOT = 'https://root.invalid/'

/** A visitor who has nothing saved and whose device has not answered. */
function newVisitor(route: Route): LazyLab {
  const localStore = createLocalStore(() => ({ getItem: () => null, setItem: nothing, removeItem: nothing }))
  const shell: Shell = {
    device: createDeviceStore(() => never),
    lessons: createLessonStore(localStore),
    view: createViewStore(localStore),
    route: createRouteStore({
      location: { href: ROOT + addressOf(route).slice(2) },
      history: { pushState: nothing, replaceState: nothing },
      document: { baseURI: ROOT, addEventListener: nothing },
      addEventListener: nothing,
    }),
    offline: createOfflineStore(),
  }
  const lab: Partial<AppContext> = {
    ...shell,
    exerciseParts: { localStore } as AppContext['exerciseParts'],
    // Their states, without what changes them: nothing is pressed here.
    run: { store: createStore(() => NO_RUN) } as AppContext['run'],
    lessonRuns: {
      store: createStore<LessonRunsState>(() => ({ runs: {}, opened: new Set() })),
    } as AppContext['lessonRuns'],
  }
  // A part that is missing fails the build where it is used.
  return createLazyLab(shell, () => Promise.resolve(lab as AppContext))
}

export { replaySvg, thumbnailSvg } from './thumbnail-svg'

/** What is known of a page before it is drawn. */
export interface SitePage {
  readonly file: string
  readonly route: Route
  readonly title: string
  readonly description: string
  /** Of a question: its answer in plain words, for search engines. */
  readonly answer?: string
  /** No page to be found by: the address of the one that is, relative to the site's root. */
  readonly inSteadOf?: string
}

const SITE = 'Host/Device Lab'
const plain = (route: Route, heading: string, description: string): SitePage => ({
  file: pageFile(route),
  route,
  title: `${heading} · ${SITE}`,
  description,
})

/** Every page that has an address of its own. */
export const sitePages: readonly SitePage[] = [
  {
    file: 'index.html',
    route: { page: 'home' },
    title: `${SITE}: why your GPU sits idle`,
    description:
      'Learn why GPUs sit idle, by measuring the GPU in your own machine. Real matmuls, a live timeline, nothing to install.',
  },
  ...lessonIndex.map(({ id, question, measures }) =>
    plain(lessonRoute(id), question, `${measures} Predict, run it on your own GPU, and see why.`),
  ),
  ...lessonIndex.map(({ id, question, measures }) => ({
    ...plain(embedRoute(id), `${question} For frames`, `${measures} A lesson’s question in another page.`),
    inSteadOf: addressOf(lessonRoute(id)),
  })),
  plain(
    { page: 'teachers' },
    'For teachers',
    'Lessons for a class: what each teaches, links with your settings, and frames for your own pages.',
  ),
  plain(
    { page: 'questions', query: {} },
    'Why is my GPU idle? Questions and answers',
    'Short answers to what people ask about a waiting GPU, and where to measure each on your own machine.',
  ),
  ...questions.map(({ id, heading, text }) => ({
    ...plain({ page: 'question', slug: id }, heading, inWords(text[0])),
    answer: text.map(inWords).filter(Boolean).join('\n'),
  })),
  plain(
    { page: 'trace', query: {} },
    'Open a trace',
    'Open a torch.profiler trace or any Trace Event JSON: why your device was idle, by cause. It stays on your machine.',
  ),
  plain(
    { page: 'find', number: null },
    'Find the line',
    'A recorded profile of a real GPU, and five lines of Python: which one leaves the GPU waiting? One profile a day, nothing to install.',
  ),
  plain(
    { page: 'device' },
    'Your device',
    'What your GPU and this browser can do: clocks, kernels, transfers, the cost of a wait, measured at a press.',
  ),
  plain(
    { page: 'method', section: '' },
    'Method',
    'How the lab measures, what its bounds mean, and what it doesn’t claim.',
  ),
  plain(
    { page: 'reference', section: '' },
    'Reference',
    'Rates of PCIe, NVLink and memory, copies that block the host, NCCL and Gloo: tables with their sources.',
  ),
  plain(
    { page: 'record' },
    'Record your own page',
    'A timeline of any page’s WebGPU: host, queue, staging and device on one axis, and each wait with its line of JavaScript.',
  ),
  plain(
    { page: 'check' },
    'Check your training loop',
    'Paste a PyTorch training loop: which lines make the GPU wait, why, when it doesn’t matter, and a fix to copy. Nothing is uploaded.',
  ),
  plain({ page: 'experiments' }, 'Experiments', 'Every experiment of the lab with all of its settings.'),
  ...experiments.map(({ id, title, question }) => plain({ page: 'run', id, query: {} }, title, question)),
]

/** What a host shows for an address that it has no file for. */
export const notFoundPage: SitePage = {
  ...plain({ page: 'unknown', path: '/404.html' }, 'Not found', 'There is no page at this address.'),
  file: '404.html',
}

/** Inline markup as words alone, for what shows none. */
function inWords(text: Passage[number] | undefined): string {
  const [source = ''] = text === undefined ? [] : partsFor([text], NO_READING)
  return source
    .replaceAll(/\[\[\w+:([^\]]+)\]\]/g, '$1')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*_]/g, '')
}

async function markupOf(element: ReactNode): Promise<string> {
  // Whatever its size: a part beyond React's own limit would be hidden until a script puts it in
  // its place.
  const { prelude } = await prerender(element, { progressiveChunkSize: Number.POSITIVE_INFINITY })
  return await new Response(prelude).text()
}

/** @throws where the page cannot be drawn without a browser */
export async function drawPage({ route, title }: SitePage): Promise<string> {
  const lazyLab = newVisitor(route)
  await loadFor(route, lazyLab)
  const isDrawn = routes[route.page].needs !== 'visitor'
  const lesson = route.page === 'lesson' ? await loadLesson(route.id) : null
  return await markupOf(
    <LabContext value={lazyLab}>
      {isDrawn ? <App /> : <HeadingOnly heading={title.replace(` · ${SITE}`, '')} />}
      {lesson && <LessonText lesson={lesson} />}
    </LabContext>,
  )
}

/**
 * What a page needs as soon as it is opened: its modules, the rest of the lab, the words of a
 * lesson.
 */
export async function neededBy(route: Route) {
  const { load, needs } = routes[route.page]
  return { modules: await load(), lab: needs !== 'shell', lesson: lessonIn(route) }
}
