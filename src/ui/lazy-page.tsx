/** A component that is loaded when first drawn, or before. */
import { lazy, useState, type ComponentType } from 'react'

export interface LazyPage<Props> {
  readonly Page: ComponentType<Props>
  readonly load: () => Promise<unknown>
}

/** Drawn at once where it has been loaded: React.lazy alone shows its fallback first. */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPage<Props> {
  let loaded: ComponentType<Props> | null = null
  const loadPage = async () => (loaded = await load())
  const Lazy = lazy(async () => ({ default: await loadPage() }))
  const Page = (props: Props) => {
    // Chosen once: Lazy may be drawn in the very moment of loading, and another component in its place would lose all its state.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Lazy)
    return <Shown {...props} />
  }
  return { Page, load: loadPage }
}
