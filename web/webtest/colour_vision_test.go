package webtest

import (
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"meldhall/tournament/colourtest"
)

// visions simulate normal colour vision and the lack of one kind of cones (Machado, Oliveira and Fernandes 2009,
// severity 1; the matrices act on linear RGB).
var visions = map[string][3][3]float64{
	"normal": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protan": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deutan": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritan": {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// apart is the minimum CIEDE2000 difference that any two tile colours must have in every vision; the design computed
// 23.3.
const apart = 20

// TestTileColoursStandApart checks that the four tile colours differ enough in every vision, and logs their contrast
// with the tile.
func TestTileColoursStandApart(t *testing.T) {
	source, err := os.ReadFile("../assets/css/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	light, _, _ := strings.Cut(string(source), "@media (prefers-color-scheme: dark)")
	tokens := tokensIn(light)
	faces := []string{"face-circle", "face-square", "face-diamond", "face-triangle"}
	all := math.Inf(1)
	for _, vision := range slices.Sorted(maps.Keys(visions)) {
		least, pair := math.Inf(1), ""
		for i, a := range faces {
			for _, b := range faces[i+1:] {
				if d := ciede2000(lab(t, tokens[a], visions[vision]), lab(t, tokens[b], visions[vision])); d < least {
					least, pair = d, a+" and "+b
				}
			}
		}
		t.Logf("%s vision: least CIEDE2000 %.1f (%s)", vision, least, pair)
		if least < apart {
			t.Errorf("%s vision: %s differ by %.1f, want %d", vision, pair, least, apart)
		}
		all = min(all, least)
	}
	t.Logf("least of all: %.1f", all)
	for _, f := range faces { // TestColours requires 4.5, or 3 for the triangle's large numerals
		t.Logf("contrast of %s on ivory: %.1f", f, colourtest.Contrast(t, tokens[f], tokens["ivory"]))
	}
}

// TestCIEDE2000 checks the formula against pairs of its authors' test data (Sharma, Wu and Dalal 2005).
func TestCIEDE2000(t *testing.T) {
	for _, c := range []struct {
		a, b [3]float64
		want float64
	}{
		{[3]float64{50, 2.6772, -79.7751}, [3]float64{50, 0, -82.7485}, 2.0425},
		{[3]float64{50, -1.3802, -84.2814}, [3]float64{50, 0, -82.7485}, 1},
		{[3]float64{50, 2.5, 0}, [3]float64{73, 25, -18}, 27.1492},
		{[3]float64{50, 2.5, 0}, [3]float64{56, -27, -3}, 31.903},
		{[3]float64{60.2574, -34.0099, 36.2677}, [3]float64{60.4626, -34.1751, 39.4387}, 1.2644},
		{[3]float64{22.7233, 20.0904, -46.694}, [3]float64{23.0331, 14.973, -42.5619}, 2.0373},
		{[3]float64{2.0776, 0.0795, -1.135}, [3]float64{0.9033, -0.0636, -0.5514}, 0.9082},
	} {
		if got := ciede2000(c.a, c.b); math.Abs(got-c.want) > 5e-5 {
			t.Errorf("%v and %v: got %.4f, want %.4f", c.a, c.b, got, c.want)
		}
	}
}

// lab returns a colour #rrggbb as seen in a vision, in CIE L*a*b* under D65.
func lab(t *testing.T, colour string, vision [3][3]float64) [3]float64 {
	t.Helper()
	var rgb [3]uint8
	if n, err := fmt.Sscanf(colour, "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]); n != 3 {
		t.Fatalf("%q is no colour #rrggbb: %v", colour, err)
	}
	var linear, seen [3]float64
	for i, c := range rgb {
		v := float64(c) / 255
		if linear[i] = v / 12.92; v > .04045 {
			linear[i] = math.Pow((v+.055)/1.055, 2.4)
		}
	}
	for i, row := range vision {
		seen[i] = min(1, max(0, row[0]*linear[0]+row[1]*linear[1]+row[2]*linear[2]))
	}
	white := [3]float64{.95047, 1, 1.08883}
	var f [3]float64
	for i, row := range [3][3]float64{{.4124564, .3575761, .1804375}, {.2126729, .7151522, .0721750},
		{.0193339, .1191920, .9503041}} {
		v := (row[0]*seen[0] + row[1]*seen[1] + row[2]*seen[2]) / white[i]
		if f[i] = v/(3*36./841) + 4./29; v > 216./24389 {
			f[i] = math.Cbrt(v)
		}
	}
	return [3]float64{116*f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])}
}

// ciede2000 returns the difference of two colours in L*a*b* (CIE 142-2001, in the form of Sharma, Wu and Dalal).
func ciede2000(p, q [3]float64) float64 {
	mean := (math.Hypot(p[1], p[2]) + math.Hypot(q[1], q[2])) / 2
	g := .5 * (1 - math.Sqrt(math.Pow(mean, 7)/(math.Pow(mean, 7)+math.Pow(25, 7))))
	a1, a2 := (1+g)*p[1], (1+g)*q[1]
	c1, c2 := math.Hypot(a1, p[2]), math.Hypot(a2, q[2])
	h1, h2 := hue(a1, p[2]), hue(a2, q[2])
	dh, h := h2-h1, h1+h2
	switch {
	case c1*c2 == 0:
		dh = 0
	case math.Abs(dh) <= 180:
		h /= 2
	case h < 360:
		h, dh = (h+360)/2, dh-math.Copysign(360, dh)
	default:
		h, dh = (h-360)/2, dh-math.Copysign(360, dh)
	}
	dl, dc, dH := q[0]-p[0], c2-c1, 2*math.Sqrt(c1*c2)*sine(dh/2)
	l, c := (p[0]+q[0])/2, (c1+c2)/2
	t := 1 - .17*sine(h-30+90) + .24*sine(2*h+90) + .32*sine(3*h+6+90) - .2*sine(4*h-63+90)
	sl := 1 + .015*(l-50)*(l-50)/math.Sqrt(20+(l-50)*(l-50))
	sc, sh := 1+.045*c, 1+.015*c*t
	rt := -sine(60*math.Exp(-math.Pow((h-275)/25, 2))) * 2 * math.Sqrt(math.Pow(c, 7)/(math.Pow(c, 7)+math.Pow(25, 7)))
	return math.Sqrt(dl*dl/sl/sl + dc*dc/sc/sc + dH*dH/sh/sh + rt*dc/sc*dH/sh)
}

func hue(a, b float64) float64 { return math.Mod(math.Atan2(b, a)*180/math.Pi+360, 360) }

func sine(degrees float64) float64 { return math.Sin(degrees * math.Pi / 180) }

// TestBrowserShapes checks that the four colours can be told apart without colour, by different shapes of at least 2
// mm.
func TestBrowserShapes(t *testing.T) {
	b, address := startChromium(t), stage(t)
	p := b.tab(t, 1280, 800)
	for _, screen := range [][2]int64{{1280, 800}, {800, 1280}} {
		p.size(screen[0], screen[1])
		p.open(address + "/stage?rack=14&table=60")
		p.wait(fmt.Sprintf(`innerWidth === %d && document.fonts.status === "loaded"`, screen[0]))
		type shape struct {
			Letter, Form string
			Wide, High   float64
		}
		shapes := eval[[]shape](p, `[..."KBROJ"].map((letter) => {
			const s = getComputedStyle(document.querySelector("#rack .tile." + letter), "::after");
			return { Letter: letter, Form: s.clipPath + " " + s.borderRadius, Wide: parseFloat(s.width), High: parseFloat(s.height) };
		})`)
		seen := map[string]string{}
		for _, s := range shapes {
			if min(s.Wide, s.High) < 2*millimetre {
				t.Errorf("%v: the shape of %s is %.1f by %.1f px, want %.1f", screen, s.Letter, s.Wide, s.High,
					2*millimetre)
			}
			if other, ok := seen[s.Form]; ok {
				t.Errorf("%s and %s have the same shape %q", s.Letter, other, s.Form)
			}
			seen[s.Form] = s.Letter
		}
		if len(seen) != 5 {
			t.Errorf("got %d shapes, want 5", len(seen))
		}
	}
}
