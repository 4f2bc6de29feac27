/** The same program in two dialects: side by side where there is room, one at a time where there is not. */
import { Suspense } from 'react'
import type { CodeBlock, CodeRegion, Lesson } from '../../lessons/lesson'
import { CodeView } from '../source/CodeView'
import { useLessonCode } from '../source/highlighted'
import { useLab } from '../lab-context'
import { useStore } from '../use-store'

interface CodePairProps {
  readonly lesson: Lesson
  /** The region that runs now, read off the run; only the WebGPU code runs here. */
  readonly lit: CodeRegion | null
  readonly shares: Readonly<Partial<Record<CodeRegion, number>>>
}

const Block = ({ lesson, block, lit, shares }: CodePairProps & { readonly block: CodeBlock }) => {
  const lines = useLessonCode(lesson.id, block.dialect, block.source)
  const runs = block.dialect === 'webgpu'
  return (
    <CodeView
      title={block.title}
      lines={lines}
      regions={block.regions ?? {}}
      lit={runs ? lit : null}
      shares={runs ? shares : {}}
    />
  )
}

export const CodePair = ({ lesson, lit, shares }: CodePairProps) => {
  const { view } = useLab()
  const dialect = useStore(view.store, (state) => state.dialect)
  return (
    <div className="code-pair" data-dialect={dialect}>
      <div className="file-tabs code-pair-tabs" role="group" aria-label="Dialect">
        {lesson.code.map((block) => (
          <button
            key={block.dialect}
            type="button"
            className="file-tab"
            aria-pressed={block.dialect === dialect}
            onClick={() => {
              view.setDialect(block.dialect)
            }}
          >
            {block.title}
          </button>
        ))}
      </div>
      <div className="code-pair-blocks">
        {lesson.code.map((block) => (
          <div key={block.dialect} className={`code-pair-block code-pair-${block.dialect}`}>
            <Suspense fallback={<p className="quiet">Loading the code.</p>}>
              <Block lesson={lesson} block={block} lit={lit} shares={shares} />
            </Suspense>
          </div>
        ))}
      </div>
    </div>
  )
}
