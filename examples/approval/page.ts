/** A link only shows this page, so a preview of it decides nothing: it takes a POST to answer a callback. */
export const PAGE = `<!doctype html>
<meta charset="utf-8">
<title>Approval</title>
<p id="state">Is it approved?</p>
<button value="true">Yes</button>
<button value="false">No</button>
<script>
  const url = new URL(location.hash.slice(1));
  if (url.origin !== location.origin) throw new Error("This is no callback of ours.");
  for (const button of document.querySelectorAll("button")) {
    button.onclick = async () => {
      const body = JSON.stringify({ approved: button.value === "true" });
      const response = await fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body });
      document.getElementById("state").textContent = response.ok ? "Thank you." : (await response.json()).title;
    };
  }
</script>
`;
