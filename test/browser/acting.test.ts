import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInBrowser } from "./dashboard-site.ts";
import { eventually } from "./eventually.ts";

/** Presses a button of the page, and then the one in the dialog that asks. */
async function act(page: Page, button: string, answer: string): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("dialog").getByRole("button", { name: answer, exact: true }).click();
}

const sentence = (page: Page) => page.locator(".sentence-main").innerText();

async function expectSaid(page: Page, words: RegExp): Promise<void> {
  await eventually(async () => expect(await sentence(page)).toMatch(words), 20_000);
}

describeInBrowser("acting on an execution", (site) => {
  it("pauses and resumes it, with the reason that was given", async () => {
    const page = await site().page(await site().start("reminder", "nudge", { to: "a@example.com", interval: "1h" }));
    await expectSaid(page, /^Sleeps until/);
    await page.getByRole("button", { name: "Pause …" }).click();
    await page.getByLabel("Reason").fill("the mail server is down");
    await page.getByRole("dialog").getByRole("button", { name: "Pause it" }).click();
    await expectSaid(page, /^Paused since .*the mail server is down/);
    expect(await page.locator(".heading .state").innerText()).toContain("paused");
    await act(page, "Resume …", "Resume it");
    await expectSaid(page, /^Sleeps until/);
  });

  it("asks before it cancels, and does nothing where somebody goes back", async () => {
    const page = await site().page("/dashboard/executions/reminder/nudge");
    await expectSaid(page, /^Sleeps until/);
    await act(page, "Cancel …", "Back");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect((await site().view("reminder", "nudge")).state).toBe("waiting");
    await act(page, "Cancel …", "Cancel it");
    await expectSaid(page, /^Cancelled after/);
    expect(await page.getByRole("button", { name: "Cancel …" }).count()).toBe(0);
  });

  it("terminates it", async () => {
    const page = await site().page(await site().start("reminder", "stop", { to: "a@example.com", interval: "1h" }));
    await expectSaid(page, /^Sleeps until/);
    await act(page, "Terminate …", "Terminate it");
    await expectSaid(page, /^Terminated after/);
    expect((await site().view("reminder", "stop")).state).toBe("cancelled");
  });

  it("forks it before a step that somebody has picked, and shows the fork", async () => {
    const page = await site().page(await site().start("saga", "fork-me", { city: "oslo" }));
    await expectSaid(page, /^Failed with NO_CAR/);
    await page.locator(".row", { hasText: "book-hotel" }).first().click();
    await page.getByRole("button", { name: "Fork before this step …" }).click();
    await page.getByLabel("Id of the new one").fill("forked");
    await page.getByRole("dialog").getByRole("button", { name: "Fork", exact: true }).click();
    await eventually(async () => expect(await page.locator("h1").innerText()).toBe("forked"));
    await eventually(async () => expect(await page.locator(".facts").first().innerText()).toContain("fork-me"));
    await expectSaid(page, /^Failed with NO_CAR/);
  });

  it("forks it before an entry that somebody has looked back at", async () => {
    const page = await site().page("/dashboard/executions/saga/fork-me");
    await expectSaid(page, /^Failed with NO_CAR/);
    await page.getByRole("slider").fill("3");
    await page.getByRole("button", { name: "Fork before this entry …" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Fork", exact: true }).click();
    await eventually(async () => expect(await page.locator(".facts").first().innerText()).toContain("before entry 3"));
  });

  it("shows an error where it happened, and leaves what was written", async () => {
    const page = await site().page("/dashboard/executions/saga/fork-me");
    await expectSaid(page, /^Failed with NO_CAR/);
    await page.getByRole("button", { name: "Fork …", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Id of the new one").fill("no spaces are allowed");
    await dialog.getByRole("button", { name: "Fork", exact: true }).click();
    await eventually(async () => expect(await dialog.getByRole("alert").innerText()).toContain("INVALID_ID"));
    expect(await dialog.getByLabel("Id of the new one").inputValue()).toBe("no spaces are allowed");
    await dialog.getByLabel("Id of the new one").fill("fork-me");
    await dialog.getByRole("button", { name: "Fork", exact: true }).click();
    await eventually(async () => expect(await dialog.getByRole("alert").innerText()).toContain("ID_CONFLICT"));
  });

  it("runs it again with another input, in a form of the input's schema", async () => {
    const page = await site().page("/dashboard/executions/saga/fork-me");
    await expectSaid(page, /^Failed with NO_CAR/);
    await page.getByRole("button", { name: "Run again …" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("city").inputValue()).toBe("oslo");
    await dialog.getByLabel("city").fill("NOT A CITY");
    await dialog.getByRole("button", { name: "Start", exact: true }).click();
    await eventually(async () => expect(await dialog.getByRole("alert").innerText()).toContain("VALIDATION_ERROR"));
    await dialog.getByLabel("city").fill("paris");
    await dialog.getByRole("button", { name: "Start", exact: true }).click();
    await eventually(async () => expect(await page.locator(".values").innerText()).toContain('"paris"'));
  });

  it("starts a new one from its workflow, by the form or by JSON", async () => {
    const page = await site().page("/dashboard/workflows");
    const card = page.locator(".card", { hasText: "oddities-of-every-kind" });
    await card.getByRole("button", { name: "Start …" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Id").fill("typed");
    await dialog.getByLabel("text", { exact: true }).fill("Grüße");
    await dialog.getByRole("button", { name: "Add" }).click();
    await dialog.getByLabel("note").fill("first");
    await dialog.getByRole("button", { name: "Write JSON instead" }).click();
    const json = dialog.getByLabel("Input as JSON");
    expect(JSON.parse(await json.inputValue())).toEqual({ text: "Grüße", lines: [{ note: "first" }] });
    await json.fill('{"text": ');
    await dialog.getByRole("button", { name: "Start", exact: true }).click();
    expect(await dialog.innerText()).toContain("must be JSON");
    await json.fill('{"text": "مرحبا", "size": "large"}');
    await dialog.getByRole("button", { name: "Start", exact: true }).click();
    await eventually(async () => expect(await page.locator("h1").innerText()).toBe("typed"));
    await eventually(async () => expect(await page.locator(".values").innerText()).toContain("مرحبا"));
  });

  it("starts one by a form of every kind of value, and fills it in again to run it again", async () => {
    const page = await site().page("/dashboard/workflows");
    await page.getByLabel("forms", { exact: true }).getByRole("button", { name: "Start …" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Id").fill("formed");
    await dialog.getByRole("button", { name: "Start", exact: true }).click();
    await dialog.locator(".issue").first().waitFor();
    const wrong = await page.evaluate(
      "[...document.querySelectorAll('dialog [aria-invalid=true]')].map((each) => each.labels[0].innerText)",
    );
    expect(wrong).toEqual(["ratio", "express", "size", "note", "pay", "place 1", "place 2"]);
    await eventually(async () => {
      expect(await page.evaluate("document.activeElement.labels?.[0].innerText")).toBe("ratio");
    });
    await dialog.getByLabel("title").fill("Überall");
    await dialog.getByLabel("ratio").fill("0.5");
    await dialog.getByLabel("express").selectOption("true");
    await dialog.getByLabel("size").selectOption('"large"');
    await dialog.getByLabel("note", { exact: true }).selectOption("null");
    await dialog.getByLabel("pay", { exact: true }).selectOption('by: "invoice"');
    await dialog.getByLabel("city").fill("Lyon");
    for (const tag of ["a", "b"]) {
      await dialog.getByRole("button", { name: "Add to tags" }).click();
      await dialog
        .getByLabel(/^tags \d$/)
        .last()
        .fill(tag);
    }
    await dialog.getByRole("button", { name: "Add to labels" }).click();
    await dialog.getByLabel("Key 1").fill("rank");
    await dialog.getByLabel("Value 1").fill("7");
    await dialog.getByLabel("place 1").fill("48.1");
    await dialog.getByLabel("place 2").fill("-2");
    await dialog.getByLabel("anything").fill('{"free": true}');
    await dialog.getByRole("button", { name: "Start", exact: true }).click();
    await expectSaid(page, /^Completed/);
    const input = JSON.parse(await page.locator(".values pre").first().innerText()) as unknown;
    expect(input).toEqual({
      title: "Überall",
      copies: 3,
      ratio: 0.5,
      express: true,
      size: "large",
      note: null,
      pay: { by: "invoice", address: { city: "Lyon" } },
      tags: ["a", "b"],
      labels: { rank: 7 },
      place: [48.1, -2],
      anything: { free: true },
    });
    await page.getByRole("button", { name: "Run again …" }).click();
    await dialog.getByRole("button", { name: "Write JSON instead" }).click();
    expect(JSON.parse(await dialog.getByLabel("Input as JSON").inputValue())).toEqual(input);
  });

  it("shows the latest of many signals, and all to who asks", async () => {
    const path = await site().start("inbox", "full");
    for (let sent = 0; sent < 30; sent += 1)
      await site().post("/v1/workflows/inbox/executions/full/signals/mail", sent);
    const page = await site().page(path);
    const signals = page.getByLabel("Signals");
    await eventually(async () => expect(await signals.innerText()).toContain("30 sent, 30 unread"));
    expect(await signals.locator(".signals > li").count()).toBe(20);
    await signals.getByRole("button", { name: "Show all 30" }).click();
    expect(await signals.locator(".signals > li").count()).toBe(30);
  });

  it("loads a large value when somebody asks for it", async () => {
    const page = await site().page(
      "/dashboard/executions/oddities-of-every-kind-that-a-page-has-to-bear-without-breaking/typed",
    );
    await expectSaid(page, /^Waits for the signal go-on/);
    await page.locator(".row", { hasText: "大きな値" }).click();
    await page.getByRole("button", { name: "Load 196 KiB" }).click();
    await eventually(async () => expect(await page.locator(".detail pre").innerText()).toContain("xxxx"));
    await page.getByRole("button", { name: /^Show all of/ }).click();
    expect((await page.locator(".detail pre").innerText()).length).toBe(200_002);
  });

  it("keeps a signal that nobody has read in sight", async () => {
    const name = "oddities-of-every-kind-that-a-page-has-to-bear-without-breaking";
    const page = await site().page(`/dashboard/executions/${name}/typed`);
    await expectSaid(page, /^Waits for the signal go-on/);
    await act(page, "Pause …", "Pause it");
    await expectSaid(page, /^Paused/);
    await page.getByRole("button", { name: "Signal …", exact: true }).click();
    await page.getByLabel("reason").fill("because");
    await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
    await eventually(async () => expect(await page.locator(".signals").innerText()).toContain("unread"));
    await act(page, "Resume …", "Resume it");
    await expectSaid(page, /^Completed/);
  });

  it("deletes an execution that has ended, once somebody has confirmed it", async () => {
    const page = await site().page("/dashboard/executions/reminder/stop");
    await expectSaid(page, /^Terminated/);
    await act(page, "Delete …", "Delete it");
    await eventually(async () => expect(await page.locator("h1").innerText()).toBe("Executions"));
    const gone = await site().page("/dashboard/executions/reminder/stop");
    await eventually(async () =>
      expect(await gone.locator("main").innerText()).toContain("There is no such execution."),
    );
  });
});
