/**
 * The lines of torch.profiler that make a file for this page: for one process, and for torchrun,
 * where each rank writes its own.
 */
import { useState } from 'react'
import { CodeView } from '../source/CodeView'
import { Tabs } from '../Tabs'
import { lines as oneProcess } from './code/one-process.py?highlight'
import { lines as torchrun } from './code/torchrun.py?highlight'
import './import.css'

const WAYS = [
  {
    id: 'one',
    label: 'One process',
    lines: oneProcess,
    writes: 'trace.json.gz, with six steps.',
  },
  {
    id: 'torchrun',
    label: 'torchrun',
    lines: torchrun,
    writes: 'rank0.json.gz, rank1.json.gz, …, one file for each rank.',
  },
] as const

export const ProfilerLines = () => {
  const [picked, setPicked] = useState<(typeof WAYS)[number]['id']>('one')
  const way = WAYS.find(({ id }) => id === picked) ?? WAYS[0]
  return (
    <section className="profiler-lines top stack-8" aria-labelledby="profiler-lines-title">
      <h2 id="profiler-lines-title">Record a profile in PyTorch</h2>
      <Tabs label="How the program is started" tabs={WAYS} shown={picked} onShow={setPicked} />
      <CodeView title="torch.profiler" lines={way.lines} />
      <p className="small quiet">
        Put your own step where <code>train_step(next(batches))</code> is; the loader must hold at least 33
        batches. It writes {way.writes} The first 25 steps run without the profiler, which slows the host
        down: predictions are then for your program, not for its profile. <code>record_shapes=True</code>{' '}
        gives rates, and made profiled steps 4 to 10 % longer; <code>with_stack=True</code> names your
        functions and modules, for 9 to 14 % (three models, PyTorch 2.11, H200): leave it out if the file gets
        too large. <code>with_modules=True</code> adds nothing to that.
      </p>
    </section>
  )
}
