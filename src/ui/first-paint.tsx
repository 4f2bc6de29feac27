/**
 * The home page as HTML, drawn while the site is built (vite/first-paint.ts) by the components that draw it in the browser: a visitor
 * reads it before any JavaScript has arrived, and the page that replaces it looks the same.
 */
import { prerender } from 'react-dom/static'
import type { LessonRunsState } from '../state/lesson-runs'
import { createLessonStore } from '../state/lesson-store'
import { createMemory } from '../state/storage'
import { createViewStore } from '../state/view-store'
import { createRouteStore } from '../state/route-store'
import { createDeviceStore } from '../state/device-store'
import { NO_RUN } from '../state/run-store'
import { createStore } from 'zustand/vanilla'
import { App } from './App'
import { LabContext, type Lab } from './lab-context'
import { loadFor } from './pages'

const never = new Promise<never>(() => undefined)

/** A visitor who has nothing saved and whose device has not answered. Only what the home page asks for is there. */
function newVisitor(): Lab {
  const memory = createMemory(() => {
    throw new Error('no storage while the site is built')
  })
  const lessons = createLessonStore(memory)
  lessons.store.setState({ saving: 'kept' })
  const lab: Partial<Lab> = {
    device: createDeviceStore({
      describe: () => never,
      measure: () => never,
      onDeviceLost: () => () => undefined,
      destroyDevice: () => undefined,
    }),
    lessons,
    view: createViewStore(memory),
    route: createRouteStore({
      location: { hash: '' },
      history: { replaceState: () => undefined },
      addEventListener: () => undefined,
    }),
    // Their states, without what changes them: nothing is pressed here.
    run: { store: createStore(() => NO_RUN) } as Lab['run'],
    lessonRuns: {
      store: createStore<LessonRunsState>(() => ({ runs: {}, opened: new Set() })),
    } as Lab['lessonRuns'],
    tuning: { store: createStore(() => ({ kept: 0 })) } as Lab['tuning'],
    kept: { store: createStore(() => ({ entries: [] as const })) } as unknown as Lab['kept'],
  }
  return lab as Lab // a part that is missing fails the build where it is used
}

export async function firstPaint(): Promise<string> {
  const lab = newVisitor()
  await loadFor(lab.route.store.getState().route)
  const { prelude } = await prerender(
    <LabContext value={lab}>
      <App />
    </LabContext>,
    // Whatever its size: a part beyond React's own limit would be hidden until a script puts it in its place.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  )
  return await new Response(prelude).text()
}
