import { drawPicture } from "./draw-picture.ts";
import { endPictures } from "./end-runs.ts";
import { lossPictures } from "./loss-runs.ts";
import { retryPictures } from "./retry-runs.ts";
import { scalePictures } from "./scale-charts.ts";
import { stepPictures } from "./step-runs.ts";

/**
 * The pictures of the pages by their file names: each is drawn of the journal of a run on a virtual clock, or of the
 * figures that `npm run scale` has found.
 */
export async function pictures(): Promise<ReadonlyMap<string, string>> {
  const runs = { ...retryPictures(), ...stepPictures(), ...lossPictures(), ...endPictures() };
  const drawn = Object.entries(runs).map(async ([name, picture]): Promise<[string, string]> => {
    return [`${name}.svg`, drawPicture(await picture)];
  });
  return new Map([...(await Promise.all(drawn)), ...scalePictures()]);
}
