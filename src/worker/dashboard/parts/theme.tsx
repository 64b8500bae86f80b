import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const KEY = "stepwell.theme";
const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

function keptTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? "system";
  } catch {
    // A browser may keep nothing for a page.
    return "system";
  }
}

/** Light or dark, as the system has it or as somebody likes it. */
export function ThemeChoice() {
  const theme = useSignal<Theme>(keptTheme());
  useEffect(() => {
    if (theme.value === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme.value;
  }, [theme.value]);
  const choose = (chosen: string) => {
    theme.value = THEMES.find((each) => each === chosen) ?? "system";
    try {
      localStorage.setItem(KEY, theme.value);
    } catch {
      // It then lasts as long as the page.
    }
  };
  return (
    <label class="theme">
      <span class="unseen">Theme</span>
      <select value={theme.value} onChange={(event) => choose(event.currentTarget.value)}>
        {THEMES.map((each) => (
          <option key={each} value={each}>
            {each === "system" ? "theme" : each}
          </option>
        ))}
      </select>
    </label>
  );
}
