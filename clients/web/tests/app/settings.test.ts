import { expect, test } from "vitest";
import { prefer, settings, settingsIn, wantedLanguage } from "../../src/app/settings.svelte.ts";

const DEFAULTS = settingsIn(null);

test("whoever has chosen nothing has the defaults", () => {
  expect(DEFAULTS).toEqual({ language: null, theme: "auto", suits: "two", faces: "auto", motion: "auto", coached: false, rules: "modern" });
});

test.each(["", "{", "null", "7", '"dark"', "[]", "{}", '{"theme":"pink","suits":2,"coached":"yes","language":"de","sound":true}'])(
  "what cannot be understood is forgotten: %s",
  (text) => expect(settingsIn(text)).toEqual(DEFAULTS),
);

test("what was chosen is kept, beside what cannot be understood", () => {
  expect(settingsIn('{"theme":"dark","faces":null,"language":"ru","rules":"pysol"}')).toEqual({
    ...DEFAULTS,
    theme: "dark",
    language: "ru",
    rules: "pysol",
  });
});

test("a preference is stored, and one of another page is taken over", () => {
  prefer({ theme: "contrast" });
  expect(settingsIn(localStorage.getItem("settings")).theme).toBe("contrast");
  dispatchEvent(new StorageEvent("storage", { key: "settings", newValue: '{"suits":"distinct"}' }));
  expect([settings.theme, settings.suits]).toEqual(["auto", "distinct"]);
});

test.each([
  [["es-MX", "en"], "es"],
  [["de", "ru-RU", "en"], "ru"],
  [["fr", "de"], "en"],
  [[], "en"],
])("of the languages %j, %s is spoken", (liked, language) => {
  prefer({ language: null });
  expect(wantedLanguage(liked)).toBe(language);
});

test("a language that was chosen goes before what the browser likes", () => {
  prefer({ language: "ru" });
  expect(wantedLanguage(["es"])).toBe("ru");
});
