/**
 * 'Check your training loop': code is pasted, and its lines that make the GPU wait are marked.
 * Editor and check are loaded by this page alone.
 */
import { Suspense } from 'react'
import { lazyPage } from '../lazy-page'
import { ProfilerLines } from '../import/ProfilerLines'
import { useTitle } from '../use-title'
import example from './example.py?raw'
import './check.css'

const checker = lazyPage(async () => (await import('./LoopChecker')).LoopChecker)

export const CheckPage = () => {
  useTitle('Check your training loop')
  return (
    <div className="page check-page stack-32">
      <header className="stack-12">
        <h1>Check your training loop</h1>
        <p className="lead">
          Paste a PyTorch loop. The page marks the lines that make the GPU wait. It runs nothing and uploads
          nothing.
        </p>
      </header>
      <Suspense fallback={<pre className="code code-plain panel loop-waiting breaks">{example}</pre>}>
        <checker.Page example={example} />
      </Suspense>
      <section className="check-proof stack-16" aria-labelledby="check-proof-title">
        <h2 id="check-proof-title">How much does a line cost?</h2>
        <p className="passage">
          Code alone can’t tell. A line that stops the host costs nothing if the host would have waited
          anyway. Record a profile and add it above: each function gets its measured cost, and the step
          without it is predicted.
        </p>
        <ProfilerLines />
        <p className="small quiet passage">
          The same check in a terminal and in continuous integration, from a clone of the lab:{' '}
          <code>npm run lab -- check train.py --fail-if &quot;findings &gt; 0&quot;</code>.
        </p>
      </section>
    </div>
  )
}
