/** The WGSL that runs, from the very files that run. */
import { Suspense, useState } from 'react'
import { CodeView } from './CodeView'
import { useShader } from './use-highlighted'

const Shader = ({ path }: { readonly path: string }) => {
  const lines = useShader(path)
  return lines ? (
    <CodeView title={path} lines={lines} />
  ) : (
    <p className="quiet">{path} is not part of this build.</p>
  )
}

export interface SourcePaneProps {
  readonly paths: readonly string[]
  /** Part of the file name to open first: the kernel that was chosen. */
  readonly preferred?: string
}

export const SourcePane = ({ paths, preferred }: SourcePaneProps) => {
  const [chosen, setChosen] = useState<string | null>(null)
  const path =
    chosen ?? paths.find((each) => preferred !== undefined && each.endsWith(`/${preferred}.wgsl`)) ?? paths[0]
  if (path === undefined) return null
  return (
    <div>
      {paths.length > 1 && (
        <div className="file-tabs cluster-4" role="group" aria-label="Shader file">
          {paths.map((each) => (
            <button
              key={each}
              type="button"
              className="file-tab quiet small"
              aria-pressed={each === path}
              onClick={() => {
                setChosen(each)
              }}
            >
              {each.split('/').at(-1)}
            </button>
          ))}
        </div>
      )}
      <Suspense fallback={<p className="quiet">Loading the source.</p>}>
        <Shader path={path} />
      </Suspense>
    </div>
  )
}
