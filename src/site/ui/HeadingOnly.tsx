/** A page before it has come: what is round it, and its heading. */
import { Header } from './Header'
import { SiteFooter } from './SiteFooter'

export const HeadingOnly = ({ heading }: { readonly heading: string }) => (
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
