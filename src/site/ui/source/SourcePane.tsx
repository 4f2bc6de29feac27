/** The WGSL that runs, from the very files that run. */
import { Suspense, useState } from 'react'
import { Tabs } from '../Tabs'
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
        <Tabs
          label="Shader file"
          tabs={paths.map((id) => ({ id, label: id.split('/').at(-1) ?? '' }))}
          shown={path}
          onShow={setChosen}
        />
      )}
      <Suspense fallback={<p className="quiet">Loading the source.</p>}>
        <Shader path={path} />
      </Suspense>
    </div>
  )
}
