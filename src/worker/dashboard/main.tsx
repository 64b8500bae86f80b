import { render } from "preact";
import { startClock } from "./data/clock.ts";
import { address, followAddress, links, placeOf, settings } from "./data/place.ts";
import { noteOpened } from "./data/recent.ts";
import { ExecutionPage } from "./pages/execution-page.tsx";
import { ListPage } from "./pages/list-page.tsx";
import { SchedulesPage } from "./pages/schedules-page.tsx";
import { WorkflowsPage } from "./pages/workflows-page.tsx";
import { Empty } from "./parts/texts.tsx";
import { ThemeChoice } from "./parts/theme.tsx";

function Dashboard() {
  const place = placeOf(address.value.path);
  return (
    <>
      <a class="skip" href="#content">
        To the content
      </a>
      <header class="top">
        <a class="brand" href={links.list}>
          Stepwell
        </a>
        <nav aria-label="Pages">
          <PageLink href={links.list} isHere={place.page === "list" || place.page === "execution"} words="Executions" />
          <PageLink href={links.workflows} isHere={place.page === "workflows"} words="Workflows" />
          <PageLink href={links.schedules} isHere={place.page === "schedules"} words="Schedules" />
        </nav>
        {!settings.mayChange && <span class="quiet">read only</span>}
        <ThemeChoice />
        {settings.canSignOut && (
          <form method="post" action={`${settings.prefix}/dashboard/sign-out`}>
            <button type="submit" class="small">
              Sign out
            </button>
          </form>
        )}
      </header>
      <div id="content" tabIndex={-1}>
        <Page path={address.value.path} />
      </div>
    </>
  );
}

function PageLink({ href, isHere, words }: { href: string; isHere: boolean; words: string }) {
  return (
    <a href={href} aria-current={isHere ? "page" : undefined}>
      {words}
    </a>
  );
}

function Page({ path }: { path: string }) {
  const place = placeOf(path);
  switch (place.page) {
    case "list":
      return <ListPage />;
    case "execution":
      noteOpened(place);
      return <ExecutionPage key={path} workflow={place.workflow} id={place.id} />;
    case "workflows":
      return <WorkflowsPage />;
    case "schedules":
      return <SchedulesPage />;
    case "nowhere":
      return (
        <main>
          <Empty title="There is no such page.">
            <a href={links.list}>To all executions</a>
          </Empty>
        </main>
      );
  }
}

startClock();
followAddress();
render(<Dashboard />, document.body);
